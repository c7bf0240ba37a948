#pragma once

#include <backplane/api/descriptors/convolution.hpp>

#include "graph/node.hpp"

namespace backplane::onnx {

/// Reads the attributes of a convolution of input 0 with the weights, an input [M, C, kernel...].
/// Errors: as ReadWindow, and kInvalidModel for a kernel_shape that is not that of the weights and
/// for groups below 1.
ConvolutionDescriptor ReadConvolution(Node& node, std::size_t weights);

}  // namespace backplane::onnx
