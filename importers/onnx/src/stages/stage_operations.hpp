#pragma once

#include <backplane/runtime/network_source.hpp>

#include "operators/stage_operator.hpp"
#include "stages/staged_graph.hpp"

#include <onnx/onnx_pb.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace backplane::onnx {

/// A node that becomes an operation between stages, and where it stands. Borrows all.
struct OperationSource {
  const StagedGraph& graph;
  Scope& scope;
  const ::onnx::NodeProto& proto;
  int index;
  const std::set<std::string>& read;  // names, also those that graphs within it read
};

/// The operation, and the names of the tensors that it reads. Constants are in it.
struct Operation {
  std::shared_ptr<const IStageOperation> operation;
  std::vector<std::string> inputs;
};

/// Errors: DiagnosticException with kInvalidModel.
Operation MakeOperation(StageOperatorKind kind, const OperationSource& source);

/// Whether graphs within a node have operations between stages.
bool HasOperations(const ::onnx::NodeProto& proto);

/// kInvalidModel: nothing makes a tensor that a graph reads or gives.
[[noreturn]] void RefuseMissing(const std::string& name, const StagedGraph& graph);

}  // namespace backplane::onnx
