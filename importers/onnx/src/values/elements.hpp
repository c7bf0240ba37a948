#pragma once

#include "values/value.hpp"

#include <cstdint>
#include <vector>

namespace backplane::onnx {

/// The constant with elements of another type, as a Cast layer gives them (CastDescriptor).
Value CastConstant(const Value& constant, DataType to);

/// The elements of a constant of any type, each cast to Number: double, std::int64_t,
/// std::uint64_t.
template <typename Number>
std::vector<Number> ReadElements(const Value& constant);

/// A constant of any type from numbers, each cast to it.
/// Number: double, std::int64_t, std::uint64_t. `numbers` has as many elements as the shape.
template <typename Number>
Value MakeElements(const TensorInfo& info, const std::vector<Number>& numbers);

}  // namespace backplane::onnx
