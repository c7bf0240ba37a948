#include "stages/staged_graph.hpp"

#include "stages/stage_builder.hpp"

#include <utility>

namespace backplane::onnx {
namespace {

class NextStage final : public IStageMaker {
 public:
  NextStage(std::shared_ptr<const StagedGraph> graph, StageState state,
            std::vector<std::string> made, std::vector<WantedName> wanted,
            const std::map<std::string, StageValueId>& ids)
      : graph_(std::move(graph)),
        state_(std::move(state)),
        made_(std::move(made)),
        wanted_(std::move(wanted)),
        ids_(ids) {}

  NetworkStage MakeStage(const std::vector<StageValue>& made,
                         const std::vector<StageValue>& wanted) const override {
    StageState state = state_;
    for (std::size_t i = 0; i < made_.size(); ++i) {
      if (made_[i].empty()) continue;
      Value value;
      value.info = made[i].info;
      value.kind = made[i].kind;
      value.outside = ids_.at(made_[i]);
      state.values[made_[i]] = std::move(value);
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const Value constant = MakeConstant(wanted[i].info, wanted[i].data.get());  // a copy
      const TensorPlace& place = wanted_[i].place;
      (place.first.empty() ? state.values[place.second] : state.known[place]) = constant;
    }
    return BuildStage(graph_, std::move(state));
  }

 private:
  const std::shared_ptr<const StagedGraph> graph_;
  const StageState state_;
  const std::vector<std::string> made_;
  const std::vector<WantedName> wanted_;
  const std::map<std::string, StageValueId> ids_;
};

}  // namespace

std::shared_ptr<const IStageMaker> MakeNextStage(std::shared_ptr<const StagedGraph> graph,
                                                 StageState state, std::vector<std::string> made,
                                                 std::vector<WantedName> wanted,
                                                 const std::map<std::string, StageValueId>& ids) {
  return std::make_shared<NextStage>(std::move(graph), std::move(state), std::move(made),
                                     std::move(wanted), ids);
}

}  // namespace backplane::onnx
