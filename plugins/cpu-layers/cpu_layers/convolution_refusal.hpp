#pragma once

#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {

/// Refuses a spatial rank that is not possible, and input, weights and output of other ranks.
void RequireConvolutionRanks(const Layer& layer, std::uint32_t spatial_rank, Refusal& refusal);

/// Refuses a layer with a ConvolutionDescriptor whose input, weights and output do not fit it.
void RequireConvolution(const Layer& layer, Refusal& refusal);

/// Refuses a layer that RequireConvolution refuses, and zero points, inputs 2 and 3, that do not
/// fit input and filters.
void RequireIntegerConvolution(const Layer& layer, Refusal& refusal);

/// Refuses a bias, input 2 where there is one, that has not one element for each filter.
void RequireConvolutionBias(const Layer& layer, Refusal& refusal);

/// Refuses a layer with a TransposedConvolutionDescriptor whose input, weights, bias and output do
/// not fit it.
void RequireTransposedConvolution(const Layer& layer, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
