#pragma once

#include "nodes/node.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace backplane::onnx {

/// Two plain operands of 8 bits and their zero points, each of which may be absent: what the layers
/// of products of integers read. An absent zero point in front of one that is there becomes 0.
std::vector<OutputSlot> GetIntegerOperands(Node& node, std::size_t a, std::size_t a_zero_point,
                                           std::size_t b, std::size_t b_zero_point);

/// A factor of a product of integers: an input, and which ones have its scale and zero point.
struct IntegerFactor {
  std::size_t input = 0;
  std::size_t scale = 0;
  std::size_t zero_point = 0;
};

/// Sums of products as real numbers: times both scales, of which that of the second factor may be
/// one for each column.
OutputSlot AddScales(Node& node, OutputSlot sums, OutputSlot first_scale, OutputSlot second_scale,
                     const std::string& suffix);

/// The product of the real numbers that two factors stand for, in float32.
OutputSlot AddScaledIntegerProduct(Node& node, const IntegerFactor& first,
                                   const IntegerFactor& second, const std::string& suffix);

}  // namespace backplane::onnx
