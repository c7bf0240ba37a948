#pragma once

/// What an operator along one axis runs over.

#include <backplane/api/tensor_info.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace backplane {
namespace cpu_layers {

/// A dense tensor around one of its axes.
struct AxisSpan {
  std::int64_t outer = 1;   // combinations of the indices before the axis
  std::int64_t extent = 0;  // of the axis
  std::int64_t inner = 1;   // elements from one index along the axis to the next
};

/// So many neighbours behind the axis are computed together: the innermost loops then run over
/// contiguous memory, whichever the axis is, and what they keep fits the stack.
constexpr std::int64_t kTile = 64;

/// `axis` is one of the shape's.
inline AxisSpan MakeAxisSpan(const TensorShape& shape, std::uint32_t axis) {
  AxisSpan span;
  span.extent = shape[axis];
  for (std::uint32_t i = 0; i < axis; ++i) span.outer *= shape[i];
  for (std::uint32_t i = axis + 1; i < shape.rank; ++i) {
    span.inner *= shape[i];
  }
  return span;
}

/// Calls visit(offset, width) for all elements at index 0 of the axis, at most kTile neighbours at
/// a time; their successors along the axis follow at steps of `inner`. Where nothing is behind the
/// axis, the width is the constant 1, for which compilers leave out the loops over neighbours.
template <typename Visit>
void VisitTiles(const AxisSpan& span, Visit&& visit) {
  if (span.inner == 1) {
    for (std::int64_t outer = 0; outer < span.outer; ++outer) {
      visit(outer * span.extent, std::integral_constant<std::int64_t, 1>());
    }
    return;
  }
  for (std::int64_t outer = 0; outer < span.outer; ++outer) {
    for (std::int64_t begin = 0; begin < span.inner; begin += kTile) {
      visit(outer * span.extent * span.inner + begin, std::min(kTile, span.inner - begin));
    }
  }
}

}  // namespace cpu_layers
}  // namespace backplane
