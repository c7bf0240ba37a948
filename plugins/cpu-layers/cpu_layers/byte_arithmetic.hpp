#pragma once

/// Sums and products of two quantised tensors of 8 bits, element by element, in float32: bit by bit
/// as ONNX Runtime's kernels for x86-64 do it.

#include "cpu_layers/layer.hpp"

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Whether both inputs and the output have 8 bits, one scale, and a zero point of their type.
bool IsPairOfBytes(const Layer& layer);

/// a * b + c, rounded once unless the sum needs more than the bits of double, whose product of a
/// factor of a few bits is exact.
inline float MultiplyAdd(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) +
                            static_cast<double>(c));
}

/// What is stored for a and b: MultiplyAdd(a, ratio_a, MultiplyAdd(b, ratio_b, fixed)), rounded to
/// the nearest integer, of two the even one, and bounded; and the other way round where rows of
/// `a`, not of `b`, repeat one element.
struct ByteSum {
  float ratio_a;
  float ratio_b;
  float fixed;  // all zero points
};

/// What is stored: (a - zero_point_a) * (b - zero_point_b) * ratio + zero_point, with the same
/// rounding.
struct ByteProduct {
  std::int32_t zero_point_a;
  std::int32_t zero_point_b;
  float ratio;
  float zero_point;
};

/// Of a layer that is a pair of bytes.
ByteSum MakeByteSum(const Layer& layer);
ByteProduct MakeByteProduct(const Layer& layer);

}  // namespace cpu_layers
}  // namespace backplane
