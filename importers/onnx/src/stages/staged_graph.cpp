#include "stages/staged_graph.hpp"

#include "stages/stage_builder.hpp"

#include <algorithm>
#include <utility>

namespace backplane::onnx {
namespace {

class Source final : public INetworkSource {
 public:
  explicit Source(std::shared_ptr<const StagedGraph> graph) : graph_(std::move(graph)) {}

  const std::string& GetName() const override { return graph_->name; }
  std::vector<OpenBinding> GetInputs() const override { return graph_->inputs; }
  std::vector<OpenBinding> GetOutputs() const override { return graph_->outputs; }

  NetworkStage MakeFirstStage(const std::vector<StageValue>& inputs) const override {
    return BuildFirstStage(graph_, inputs);
  }

 private:
  const std::shared_ptr<const StagedGraph> graph_;
};

bool IsSame(const std::pair<const std::string, Value>& a,
            const std::pair<const std::string, Value>& b) {
  return a.first == b.first && a.second.info == b.second.info && a.second.data == b.second.data;
}

}  // namespace

std::shared_ptr<const INetworkSource> BodyMemo::Find(const ::onnx::GraphProto& graph,
                                                     const Surroundings& around, const Make& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Known& known = known_[&graph];
  const auto& before = known.around.constants;
  const bool is_same = known.around.captured == around.captured &&
                       std::equal(before.begin(), before.end(), around.constants.begin(),
                                  around.constants.end(), IsSame);
  auto source = is_same ? known.source.lock() : nullptr;
  if (source != nullptr) return source;
  source = MakeSource(make());
  known = {around, source};
  return source;
}

std::shared_ptr<const INetworkSource> MakeSource(std::shared_ptr<const StagedGraph> graph) {
  return std::make_shared<Source>(std::move(graph));
}

void AddBinding(const ModelInput& stated, std::vector<OpenBinding>& bindings) {
  OpenBinding binding;
  binding.id = static_cast<LayerBindingId>(bindings.size());
  binding.name = stated.name;
  binding.info.data_type = stated.data_type;
  binding.is_sequence = stated.is_sequence;
  binding.is_optional = stated.is_optional;
  binding.is_rank_open = !stated.is_rank_known || stated.dims.size() > kMaxRank;
  if (!binding.is_rank_open) {
    for (const std::int64_t dim : stated.dims) binding.info.shape.Append(dim);
    binding.dim_names = stated.dim_names;
    binding.may_be_empty = true;
  }
  bindings.push_back(std::move(binding));
}

void KeepInitializers(const ::onnx::GraphProto& proto, const Values& values, StagedGraph& graph) {
  const auto keep = [&](const std::string& name) { graph.constants[name] = *values.Find(name); };
  for (const auto& initializer : proto.initializer()) keep(initializer.name());
  for (const auto& sparse : proto.sparse_initializer()) keep(sparse.values().name());
}

}  // namespace backplane::onnx
