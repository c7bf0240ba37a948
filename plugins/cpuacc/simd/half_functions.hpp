#pragma once

/// Conversions between float32 and the floats of 16 bits.

#include <backplane/api/data_type.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Exact; NaN stays NaN.
using WidenFunction = void (*)(const std::uint16_t* x, float* y, std::int64_t count);
/// Rounded to the nearest, of two the even one; beyond the largest infinity. NaN stays NaN.
using NarrowFunction = void (*)(const float* x, std::uint16_t* y, std::int64_t count);

struct HalfFunctions {
  /// Null: not a float of 16 bits.
  WidenFunction GetWiden(DataType from) const {
    if (from == DataType::kFloat16) return widen_float16;
    return from == DataType::kBFloat16 ? widen_bfloat16 : nullptr;
  }
  /// Null: not a float of 16 bits.
  NarrowFunction GetNarrow(DataType to) const {
    if (to == DataType::kFloat16) return narrow_float16;
    return to == DataType::kBFloat16 ? narrow_bfloat16 : nullptr;
  }

  WidenFunction widen_float16 = nullptr;
  WidenFunction widen_bfloat16 = nullptr;
  NarrowFunction narrow_float16 = nullptr;
  NarrowFunction narrow_bfloat16 = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
