#pragma once

#include "nodes/node.hpp"

namespace backplane::onnx {

/// Pads with the input itself, repeated before and behind itself, which the layer Pad lacks: the
/// elements along each padded axis are gathered. Of `padding` the mode is not read.
/// Errors: kInvalidModel where nothing is left to repeat, kUnsupportedAttribute when the positions
/// would take too much memory.
void ConvertWrapPad(Node& node, const PadDescriptor& padding);

}  // namespace backplane::onnx
