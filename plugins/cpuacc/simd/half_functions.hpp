#pragma once

/// Conversions between float32 and the floats of 16 bits.

#include "simd/conversion_functions.hpp"

#include <backplane/api/data_type.hpp>

namespace backplane {
namespace cpuacc {

/// Widened exactly; narrowed to the nearest, of two the even one, and beyond the largest to
/// infinity. NaN stays NaN.
struct HalfFunctions {
  /// Null: not a float of 16 bits.
  CastFunction GetWiden(DataType from) const {
    if (from == DataType::kFloat16) return widen_float16;
    return from == DataType::kBFloat16 ? widen_bfloat16 : nullptr;
  }
  /// Null: not a float of 16 bits.
  CastFunction GetNarrow(DataType to) const {
    if (to == DataType::kFloat16) return narrow_float16;
    return to == DataType::kBFloat16 ? narrow_bfloat16 : nullptr;
  }

  CastFunction widen_float16 = nullptr;
  CastFunction widen_bfloat16 = nullptr;
  CastFunction narrow_float16 = nullptr;
  CastFunction narrow_bfloat16 = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
