#pragma once

#include "values/value.hpp"

#include <cstdint>
#include <vector>

namespace backplane::onnx {

/// The elements of a constant of any type, each converted to Number: rounded where a float64 does
/// not hold it, cut off towards zero and saturated where an integer does not; NaN becomes 0 there.
/// Number: double, std::int64_t, std::uint64_t.
template <typename Number>
std::vector<Number> ReadElements(const Value& constant);

/// A constant of any type from numbers, each converted to the same bits as by the layers that a
/// Cast becomes (CastDescriptor): integers keep the lowest bits of integers, and of reals what is
/// left without the fraction, saturated, or for narrow ones the lowest bits of the nearest integer;
/// floats are rounded to nearest, and narrow ones saturate; any but 0 is true.
/// Number: double, std::int64_t, std::uint64_t. `numbers` has as many elements as the shape.
template <typename Number>
Value MakeElements(const TensorInfo& info, const std::vector<Number>& numbers);

}  // namespace backplane::onnx
