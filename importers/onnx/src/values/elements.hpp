#pragma once

#include "values/value.hpp"

#include <cstdint>
#include <vector>

namespace backplane::onnx {

/// The elements of a constant of any type, each converted to Number: rounded where a float64 does
/// not hold it, cut off towards zero and saturated where an int64_t does not; NaN becomes 0 there.
/// Number: double, std::int64_t.
template <typename Number>
std::vector<Number> ReadElements(const Value& constant);

/// A constant of any type from numbers, each converted as a cast does: cut off towards zero for
/// integers, of which the lowest bits are kept, rounded to nearest for floats, of which narrow ones
/// saturate; any but 0 is true.
/// Number: double, std::int64_t. `numbers` has as many elements as the shape.
template <typename Number>
Value MakeElements(const TensorInfo& info, const std::vector<Number>& numbers);

}  // namespace backplane::onnx
