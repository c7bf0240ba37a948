#pragma once

/// Positions of rows, put into queries and keys as rotations of pairs of their elements.

#include "nodes/node.hpp"

#include <string>

namespace backplane::onnx {

/// Which elements of a head are a pair: neighbours, or one of each half of those that are rotated.
enum class RotatedPairs { kHalves, kNeighbours };

struct HeadRotation {
  OutputSlot cosines;  // of the type of the heads, broadcast to [batch, heads, rows, pairs]
  OutputSlot sines;    // likewise
  RotatedPairs pairs = RotatedPairs::kHalves;
};

/// Heads with their first elements rotated, as many as there are pairs; the rest stay as they are.
OutputSlot AddHeadRotation(Node& node, OutputSlot heads, const HeadRotation& rotation,
                           const std::string& suffix);

}  // namespace backplane::onnx
