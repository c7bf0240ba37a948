#pragma once

#include "stages/staged_graph.hpp"

#include <memory>

namespace backplane::onnx {

/// Says of a stage that follows extents how its constants are recalculated, which are among
/// `values`: by the nodes that make them of integers that follow. Some lie within nodes: then it
/// does not follow extents.
void FindRecalculation(const std::shared_ptr<const StagedGraph>& graph, const Values& values,
                       NetworkStage& stage);

}  // namespace backplane::onnx
