#pragma once

#include "stages/staged_graph.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

/// A tensor whose elements the next stage has to know.
struct WantedName {
  TensorPlace place;
  TensorInfo info;
  StageValueId id = 0;
  bool is_available = false;  // it is outside
};

/// Makes the stage that follows from `state` once what was `made` and `wanted` is known. `ids` has
/// those of what was made.
std::shared_ptr<const IStageMaker> MakeNextStage(
    std::shared_ptr<const StagedGraph> graph, StageState state, std::vector<std::string> made,
    std::vector<WantedName> wanted, const std::map<std::string, StageValueId>& ids = {});

}  // namespace backplane::onnx
