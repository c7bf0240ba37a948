#include "stages/recalculation.hpp"

#include "stages/stage_builder.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

namespace backplane::onnx {
namespace {

class Recalculation final : public IStageRecalculation {
 public:
  Recalculation(std::shared_ptr<const StagedGraph> graph, std::vector<std::string> names)
      : graph_(std::move(graph)), names_(std::move(names)) {}

  std::vector<StageValue> Recalculate(const std::vector<StageValue>& inputs) const override {
    std::call_once(is_found_, [this] { FindNeeded(); });
    StageState state = needed_;
    for (const std::size_t index : inputs_) {
      state.values[graph_->inputs[index].name] =
          MakeOutside(inputs[index], static_cast<StageValueId>(index));
    }
    return BuildConstants(graph_, std::move(state), names_);
  }

 private:
  /// From the last node to the first, those that make something that is needed.
  void FindNeeded() const {
    std::unordered_set<std::string> names(names_.begin(), names_.end());
    const auto is_needed = [&](const std::string& name) { return names.count(name) > 0; };
    for (int index = graph_->graph->node_size(); index-- > 0;) {
      const auto& outputs = graph_->graph->node(index).output();
      if (std::none_of(outputs.begin(), outputs.end(), is_needed)) continue;
      const std::set<std::string>& read =
          (*graph_->node_reads)[static_cast<std::size_t>(index)].all;
      names.insert(read.begin(), read.end());
      needed_.nodes.insert(needed_.nodes.begin(), index);
    }
    for (const std::string& name : names) {
      const auto constant = graph_->constants.find(name);
      if (constant != graph_->constants.end()) needed_.values.insert(*constant);
    }
    for (std::size_t index = 0; index < graph_->inputs.size(); ++index) {
      if (is_needed(graph_->inputs[index].name)) inputs_.push_back(index);
    }
  }

  const std::shared_ptr<const StagedGraph> graph_;
  const std::vector<std::string> names_;
  mutable std::once_flag is_found_;  // and then these stay as they are:
  mutable StageState needed_;        // without inputs
  mutable std::vector<std::size_t> inputs_;
};

}  // namespace

std::shared_ptr<const IStageRecalculation> MakeRecalculation(
    std::shared_ptr<const StagedGraph> graph, std::vector<std::string> names) {
  return std::make_shared<Recalculation>(std::move(graph), std::move(names));
}

}  // namespace backplane::onnx
