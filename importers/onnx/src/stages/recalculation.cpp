#include "stages/stage_builder.hpp"
#include "tensors/data_types.hpp"
#include "values/elements.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

/// Converts the nodes that some constants depend on, and no other.
class Recalculation final : public IStageRecalculation {
 public:
  explicit Recalculation(std::shared_ptr<const StagedGraph> graph) : graph_(std::move(graph)) {}

  void Add(const std::string& name, const Values& values) {
    names_.push_back(name);
    Need(name, values);
  }

  /// Finds out what the constants depend on, and gives the numbers that they follow. Nothing: they
  /// are not made by nodes of the graph alone.
  std::optional<std::vector<std::int64_t>> FindFollowed(const Values& values) {
    for (int index = graph_->graph->node_size(); index-- > 0;) {
      bool is_needed = false;
      for (const std::string& output : graph_->graph->node(index).output()) {
        is_needed = made_.erase(output) > 0 || is_needed;
      }
      if (!is_needed) continue;
      state_.nodes.push_back(index);
      for (const std::string& name : (*graph_->node_reads)[static_cast<std::size_t>(index)].all) {
        Need(name, values);
      }
    }
    if (!made_.empty()) return {};
    std::reverse(state_.nodes.begin(), state_.nodes.end());
    std::vector<std::int64_t> numbers;
    for (const auto& [name, info] : followed_) {
      const auto elements = ReadElements<std::int64_t>(*values.Find(name));
      numbers.insert(numbers.end(), elements.begin(), elements.end());
    }
    return numbers;
  }

  std::vector<StageValue> Recalculate(const std::vector<std::int64_t>& followed) const override {
    StageState state = state_;
    auto next = followed.begin();
    for (const auto& [name, info] : followed_) {
      const auto end = next + info.shape.GetNumElements();
      state.values[name] = MakeElements(info, std::vector<std::int64_t>(next, end));
      next = end;
    }
    return BuildConstants(graph_, std::move(state), names_);
  }

 private:
  void Need(const std::string& name, const Values& values) {
    const Value* const value = values.Find(name);
    const bool is_constant = value != nullptr && value->is_constant;
    if (is_constant && !value->is_of_run) {
      state_.values.emplace(name, MakeConstant(value->info, value->data));
    } else if (is_constant && !value->is_recalculated && IsListType(value->info.data_type)) {
      followed_.emplace(name, value->info);
    } else {
      made_.insert(name);
    }
  }

  const std::shared_ptr<const StagedGraph> graph_;
  std::vector<std::string> names_;
  std::map<std::string, TensorInfo> followed_;  // constants of integers that follow extents
  std::set<std::string> made_;                  // by nodes that were not looked at yet
  StageState state_;                            // with what is the same for all extents
};

}  // namespace

void FindRecalculation(const std::shared_ptr<const StagedGraph>& graph, const Values& values,
                       NetworkStage& stage) {
  const auto& layers = values.GetConstantsOfRun();
  if (layers.empty()) return;
  auto recalculation = std::make_shared<Recalculation>(graph);
  for (const auto& [id, name] : layers) {
    stage.recalculated.push_back(id);
    recalculation->Add(name, values);
  }
  auto followed = recalculation->FindFollowed(values);
  stage.follows_extents = followed.has_value();
  if (!followed) return;
  stage.followed = std::move(*followed);
  stage.recalculation = std::move(recalculation);
}

}  // namespace backplane::onnx
