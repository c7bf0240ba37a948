#pragma once

/// What an operator along one axis runs over.

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// A dense tensor around one of its axes.
struct AxisSpan {
  std::int64_t outer = 1;   // combinations of the indices before the axis
  std::int64_t extent = 0;  // of the axis
  std::int64_t inner = 1;   // elements from one index along the axis to the next
};

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

/// Calls visit(offset) for all elements at index 0 of the axis, in order; their successors along
/// the axis follow at steps of `inner`.
template <typename Visit>
void VisitLines(const AxisSpan& span, Visit&& visit) {
  for (std::int64_t outer = 0; outer < span.outer; ++outer) {
    for (std::int64_t i = 0; i < span.inner; ++i) visit(outer * span.extent * span.inner + i);
  }
}

}  // namespace cpu_layers
}  // namespace backplane
