#pragma once

#include "stages/staged_graph.hpp"

#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

/// Calculates constants of the first stage of a graph anew, by their names: converts the nodes that
/// they depend on, and no other.
std::shared_ptr<const IStageRecalculation> MakeRecalculation(
    std::shared_ptr<const StagedGraph> graph, std::vector<std::string> names);

}  // namespace backplane::onnx
