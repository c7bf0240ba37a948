#pragma once

#include "execution/execution_plan.hpp"
#include "kinds/kind_table.hpp"
#include "tensors/tensor_handle.hpp"

namespace backplane {

/// Makes the handle of a tensor of a plan, not yet bound.
/// Null: `parent`, of tensors that are no sub-tensors.
/// Errors: DiagnosticException as TensorHandle.
TensorHandle MakeHandle(const PlannedTensor& tensor, const KindObjects& objects,
                        const TensorHandle* parent);

}  // namespace backplane
