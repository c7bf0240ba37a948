#pragma once

#include "stages/stage_operations.hpp"
#include "stages/unbound_operation.hpp"

namespace backplane::onnx {

/// Errors: DiagnosticException with kInvalidModel.
UnboundOperation MakeChoice(const OperationSource& source);

}  // namespace backplane::onnx
