#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses a layer with a PadDescriptor whose input, value and output do not fit it.
void RequirePad(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
