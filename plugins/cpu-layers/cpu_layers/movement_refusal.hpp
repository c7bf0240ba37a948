#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses layers with the descriptor that goes with the name whose input and output do not fit it.
/// Every data type of the Backend API can be moved, quantised too when scales stay together.
void RequireTranspose(const Layer& layer, Refusal& refusal);
void RequireSlice(const Layer& layer, Refusal& refusal);
void RequireExpand(const Layer& layer, Refusal& refusal);
void RequireTile(const Layer& layer, Refusal& refusal);
void RequireReshape(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
