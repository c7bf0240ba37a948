#pragma once

/// Loops over quantised bytes: int8 and uint8 by one code, as a sign bit of 128 or 0 says.

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// How two bytes become one (cpu_layers/byte_arithmetic.hpp). The second may repeat.
struct BytePair {
  std::int32_t sign_bits[2] = {};
  float ratios[2] = {};              // of a sum
  std::int32_t zero_points[2] = {};  // of the factors of a product
  float ratio = 0.0F;                // of a product
  float fixed = 0.0F;                // what is added at last
  float least = 0.0F;                // that the result can be
  float greatest = 0.0F;
};

/// `step_b` is 1, or 0 when one element is repeated.
using CombineBytes = void (*)(const BytePair& pair, const std::uint8_t* a, const std::uint8_t* b,
                              std::int64_t step_b, std::uint8_t* y, std::int64_t count);

/// Rows of bytes that are added up, `step` bytes apart.
struct ByteRows {
  std::int32_t sign_bit = 0;
  std::int64_t step = 0;
  std::int64_t count = 0;
};

/// What sums become: scale * sum / count / result_scale, each operation in double,
/// rounded to the nearest integer, of two the even one, and the zero point, bounded.
struct ByteAverage {
  double scale = 1.0;
  double count = 1.0;
  double result_scale = 1.0;
  std::int32_t zero_point = 0;
  std::int32_t least = 0;  // that the result can be
};

/// y[i] is the byte that `table`, of 256, has for x[i]. `y` may be `x`.
using LookUpBytes = void (*)(const std::uint8_t* table, const std::uint8_t* x, std::uint8_t* y,
                             std::int64_t count);

struct ByteFunctions {
  /// For sums that double has without loss: fused operations give the same then.
  CombineBytes add = nullptr;
  CombineBytes add_in_double = nullptr;
  CombineBytes multiply = nullptr;
  LookUpBytes look_up = nullptr;
  /// sums[i] += element i of each row, as a number from 0 on.
  void (*sum_up)(const std::uint8_t* x, const ByteRows& rows, std::int32_t* sums,
                 std::int64_t count) = nullptr;
  void (*average)(const ByteAverage& average, const std::int32_t* sums, std::uint8_t* y,
                  std::int64_t count) = nullptr;
  void (*average_reals)(const ByteAverage& average, const double* sums, std::uint8_t* y,
                        std::int64_t count) = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
