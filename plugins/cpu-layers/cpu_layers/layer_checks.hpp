#pragma once

#include "cpu_layers/layer.hpp"
#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses a layer without what all kernels rely on: as many tensors as layers.def says, a
/// descriptor of at least the known size, and shapes in which no index overflows.
void RequireSoundLayer(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
