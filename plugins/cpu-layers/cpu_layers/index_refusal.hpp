#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses layers with the descriptor that goes with the name whose values, indices and output do
/// not fit it. Indices are int32 or int64; which they are is not known before the layer runs.
void RequireGather(const Layer& layer, Refusal& refusal);
void RequireGatherElements(const Layer& layer, Refusal& refusal);
void RequireGatherNd(const Layer& layer, Refusal& refusal);
void RequireReverseSequence(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
