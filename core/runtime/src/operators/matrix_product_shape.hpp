#pragma once

#include "operators/operator_inputs.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

namespace backplane {

/// The shape of the product of inputs 0 and 1, whose last two axes are matrices.
/// Errors: kWrongRank, kWrongShape, kInvalidDescriptor.
TensorShape InferMatrixProductShape(const OperatorInputs& inputs,
                                    const BatchMatMulDescriptor& descriptor);

}  // namespace backplane
