#pragma once

#include "nodes/scope.hpp"
#include "stages/staged_graph.hpp"

#include <memory>
#include <vector>

namespace backplane::onnx {

/// Makes of a graph all that can be made with what is known: a network of the nodes that depend on
/// nothing else, and the operations behind it. What is left is for the stages that follow.
/// Errors: DiagnosticException with kStageFailed, with every node that failed as a cause.
NetworkStage BuildStage(const std::shared_ptr<const StagedGraph>& graph, StageState state);

/// As INetworkSource::MakeFirstStage.
NetworkStage BuildFirstStage(const std::shared_ptr<const StagedGraph>& graph,
                             const std::vector<StageValue>& inputs);

/// Says of a stage that follows extents how its constants are recalculated, which are among
/// `values`: by the nodes that make them of integers that follow. Some lie within nodes: then it
/// does not follow extents.
void FindRecalculation(const std::shared_ptr<const StagedGraph>& graph, const Values& values,
                       NetworkStage& stage);

/// Constants that the nodes of `state` make, by their names.
/// Errors: as BuildStage.
std::vector<StageValue> BuildConstants(const std::shared_ptr<const StagedGraph>& graph,
                                       StageState state, const std::vector<std::string>& names);

/// The network of a model of which nothing is left for a run to decide.
struct WholeNetwork {
  std::unique_ptr<INetwork> network;  // null: a run decides some of it
  std::vector<TensorInfo> outputs;    // what its layers give
};

/// Makes the whole network of a model, whose inputs have shapes that are all known. With
/// `must_be_fixed` what only a run could decide is refused. Nothing more is said of operators that
/// are `reported`: there is no network then.
/// Errors: DiagnosticException as ImportModel, with every node that failed as a cause.
WholeNetwork BuildWhole(const std::shared_ptr<const StagedGraph>& graph, bool must_be_fixed,
                        const OperatorNames& reported);

}  // namespace backplane::onnx
