#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses layers with the descriptor that goes with the name whose shapes do not fit it, or whose
/// descriptor makes no sense. Types are not looked at.
void RequireArgMinMax(const Layer& layer, Refusal& refusal);
void RequireCumulativeSum(const Layer& layer, Refusal& refusal);
void RequireReduce(const Layer& layer, Refusal& refusal);
void RequireTopK(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
