#pragma once

#include <backplane/runtime/network_source.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

struct OperationSource;

/// An operation, and the names of all that it takes: tensors, constants, "" for what is absent.
struct UnboundOperation {
  std::shared_ptr<const IStageOperation> operation;
  std::vector<std::string> inputs;
};

/// One that runs graphs within its node. Errors: DiagnosticException with kInvalidModel.
UnboundOperation MakeControl(const OperationSource& source);

/// One on sequences or optionals. Errors: DiagnosticException with kInvalidModel.
UnboundOperation MakeSequence(const OperationSource& source);

}  // namespace backplane::onnx
