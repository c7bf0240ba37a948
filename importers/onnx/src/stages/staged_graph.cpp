#include "stages/staged_graph.hpp"

#include "stages/stage_builder.hpp"
#include "tensors/data_types.hpp"

#include <numeric>
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
    StageState state;
    state.values = graph_->constants;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      Value value;
      value.info = inputs[i].info;
      value.kind = inputs[i].kind;
      value.outside = state.next_id++;
      state.values[graph_->inputs[i].name] = std::move(value);
    }
    state.nodes.resize(static_cast<std::size_t>(graph_->graph->node_size()));
    std::iota(state.nodes.begin(), state.nodes.end(), 0);
    return BuildStage(graph_, std::move(state));
  }

 private:
  const std::shared_ptr<const StagedGraph> graph_;
};

}  // namespace

std::shared_ptr<const INetworkSource> MakeSource(std::shared_ptr<const StagedGraph> graph) {
  return std::make_shared<Source>(std::move(graph));
}

OpenBinding ReadBinding(const ::onnx::ValueInfoProto& proto, LayerBindingId id) {
  OpenBinding binding;
  binding.id = id;
  binding.name = proto.name();
  const auto& tensor = proto.type().tensor_type();
  binding.info.data_type = FromOnnxType(tensor.elem_type());
  binding.is_rank_open =
      !tensor.has_shape() || tensor.shape().dim_size() > static_cast<int>(kMaxRank);
  if (binding.is_rank_open) return binding;
  for (const auto& dim : tensor.shape().dim()) {
    const bool is_stated = dim.has_dim_value() && dim.dim_value() >= 0;
    binding.info.shape.Append(is_stated ? dim.dim_value() : kOpenExtent);
    binding.dim_names.push_back(dim.dim_param());
  }
  return binding;
}

}  // namespace backplane::onnx
