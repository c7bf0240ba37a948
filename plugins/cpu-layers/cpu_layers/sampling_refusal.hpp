#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses GridSample layers whose shapes do not fit each other, or whose descriptor makes no
/// sense. Types are not looked at.
void RequireGridSample(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
