#pragma once

#include "refusal.hpp"

namespace backplane {
namespace cpuref {

/// Refuses a layer with a ConvolutionDescriptor whose input, weights and output do not fit it.
void RequireConvolution(const Layer& layer, Refusal& refusal);

}  // namespace cpuref
}  // namespace backplane
