#pragma once

#include "nodes/node.hpp"

#include <vector>

namespace backplane::onnx {

/// Two plain operands of 8 bits and their zero points, each of which may be absent: what the layers
/// of products of integers read. An absent zero point in front of one that is there becomes 0.
std::vector<OutputSlot> GetIntegerOperands(Node& node, std::size_t a, std::size_t a_zero_point,
                                           std::size_t b, std::size_t b_zero_point);

}  // namespace backplane::onnx
