#pragma once

#include "stages/staged_graph.hpp"

#include <memory>

namespace backplane::onnx {

/// Makes of a graph all that can be made with what is known: a network of the nodes that depend on
/// nothing else, and the operations behind it. What is left is for the stages that follow.
/// Errors: DiagnosticException as ImportModel, with every node that failed as a cause.
NetworkStage BuildStage(const std::shared_ptr<const StagedGraph>& graph, StageState state);

}  // namespace backplane::onnx
