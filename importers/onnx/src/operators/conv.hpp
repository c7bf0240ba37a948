#pragma once

#include <backplane/api/descriptors/convolution.hpp>

#include "nodes/node.hpp"

#include <cstdint>
#include <vector>

namespace backplane::onnx {

/// The spatial extents of the weights, an input. Reads kernel_shape.
/// Errors: kInvalidModel for another kernel_shape, or weights that do not have the rank of input 0.
std::vector<std::int64_t> ReadConvKernel(Node& node, std::size_t weights = 1);

/// The attribute group. Errors: kInvalidModel when it is below 1 or needs more than 31 bits.
std::uint32_t ReadGroups(Node& node);

/// All attributes of a convolution of input 0 with the weights.
/// Errors: as the functions above and ReadWindow.
ConvolutionDescriptor ReadConvolution(Node& node, std::size_t weights);

/// Input, weights and, when it is there, the bias.
std::vector<OutputSlot> GetConvInputs(Node& node);

}  // namespace backplane::onnx
