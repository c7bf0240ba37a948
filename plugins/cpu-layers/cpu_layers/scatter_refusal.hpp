#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses layers with the descriptor that goes with the name whose shapes do not fit it.
void RequireScatterElements(const Layer& layer, Refusal& refusal);
void RequireScatterNd(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
