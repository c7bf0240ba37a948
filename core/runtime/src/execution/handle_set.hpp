#pragma once

#include "execution/execution_plan.hpp"
#include "tensors/tensor_handle.hpp"

namespace backplane {

/// Makes the handle of a tensor of a plan, not yet bound.
/// Null: `factory`, for the core's own kind; `parent`, of tensors that are no sub-tensors.
/// Errors: DiagnosticException as TensorHandle.
TensorHandle MakeHandle(const PlannedTensor& tensor,
                        const PluginObject<ITensorHandleFactory>* factory,
                        const TensorHandle* parent);

}  // namespace backplane
