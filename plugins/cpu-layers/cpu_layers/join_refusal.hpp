#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses a Concat or Split whose parts do not make up the whole along the axis of the descriptor.
void RequireSplit(const Layer& layer, Refusal& refusal);
void RequireConcat(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
