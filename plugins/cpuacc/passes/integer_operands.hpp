#pragma once

/// What layers on reals that were dequantised read when they compute with the integers instead.

#include "graph/graph_editor.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// What was dequantised to a tensor; kNoTensor when it is not made so. A constant that the network
/// quantises first is quantised now.
TensorId FindInteger(GraphEditor& editor, TensorId real);

/// A BatchMatMul or FullyConnected without a chain that multiplies the rows of its input 0 with one
/// matrix, none of them empty.
bool IsProductOfRows(const Graph& graph, const Node& node);

/// Whether that matrix is read as if it were transposed.
bool IsMatrixTransposed(const Node& product);

/// Puts a product without a bias in the place of one that may have one, which is then added behind.
void ReplaceProduct(GraphEditor& editor, NodeIndex index, Node made);

/// What sums of products of bytes leave in int32 for a bias, whatever the bytes are. Negative when
/// they do not fit themselves, or the scales are so small that their products lose bits.
std::int64_t GetRoomForBias(const Graph& graph, const Node& product);

/// A constant bias as the sums of this product of bytes have it: in int32, with the product of
/// their scales. kNoTensor: it is not constant, too great, or rounded so coarsely that the output,
/// which is quantised, could be off by more than one.
TensorId AddIntegerBias(GraphEditor& editor, TensorId real, const Node& product);

}  // namespace cpuacc
}  // namespace backplane
