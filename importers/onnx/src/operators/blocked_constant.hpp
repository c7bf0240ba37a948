#pragma once

#include "nodes/node.hpp"
#include "operators/quantization.hpp"

#include <optional>

namespace backplane::onnx {

/// What a constant of the node's input 0 stands for, in a type of floats, as a layer on a quantized
/// tensor of bytes, which backends may keep as it is: integers of fewer than 8 bits, and those of
/// up to 8 bits whose scales are of blocks. Nothing when it is no such constant, a scale cannot be
/// that of a tensor, or blocks do not fill up the axis.
/// Errors: kInvalidModel when scales and zero points do not fit.
std::optional<OutputSlot> FindDequantizedConstant(Node& node, const QuantizationInputs& inputs,
                                                  DataType type);

}  // namespace backplane::onnx
