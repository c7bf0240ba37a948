#pragma once

#include "stages/staged_graph.hpp"

#include <memory>
#include <vector>

namespace backplane::onnx {

/// Whose shapes and values a stage is made for.
enum class StageTime { kImport, kRun };

/// Makes of a graph all that can be made with what is known: a network of the nodes that depend on
/// nothing else, and the operations behind it. What is left is for the stages that follow.
/// Errors: DiagnosticException as ImportModel, with every node that failed as a cause; of a run
/// kStageFailed.
NetworkStage BuildStage(const std::shared_ptr<const StagedGraph>& graph, StageState state,
                        StageTime time);

/// As INetworkSource::MakeFirstStage.
NetworkStage BuildFirstStage(const std::shared_ptr<const StagedGraph>& graph,
                             const std::vector<StageValue>& inputs, StageTime time);

}  // namespace backplane::onnx
