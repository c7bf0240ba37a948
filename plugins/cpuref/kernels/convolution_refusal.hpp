#pragma once

#include "layer.hpp"

namespace backplane {
namespace cpuref {

/// Refuses a spatial rank that is not possible, and input, weights and output of other ranks.
void RequireConvolutionRanks(const Layer& layer, std::uint32_t spatial_rank, Refusal& refusal);

/// Refuses a layer with a ConvolutionDescriptor whose input, weights and output do not fit it.
void RequireConvolution(const Layer& layer, Refusal& refusal);

}  // namespace cpuref
}  // namespace backplane
