#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses a layer with a FullyConnectedDescriptor whose input, weights, bias and output do not fit
/// it.
void RequireFullyConnected(const Layer& layer, Refusal& refusal);

/// Refuses a layer with a BatchMatMulDescriptor whose operands and output do not fit it.
void RequireBatchMatMul(const Layer& layer, Refusal& refusal);

/// Refuses operands, zero points and results that have not the types of a product of plain bytes.
void RequireByteProduct(const Layer& layer, Refusal& refusal);

/// Refuses a product of integers whose operands, zero points and output do not fit each other.
void RequireIntegerMatMul(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
