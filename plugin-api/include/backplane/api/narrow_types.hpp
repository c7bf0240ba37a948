#pragma once

/// Numbers of 8 bits and fewer: what their bits mean. Each element has a byte of its own in memory.
/// Of types of fewer than 8 bits only the lowest bits count; whoever writes an element extends it
/// by its sign (int4, int2) or by zeros. Everything here is compiled into who uses it, and may be
/// called from any thread.
///
/// | type            | exponent, fraction bits | bias | greatest | special                        |
/// |-----------------|-------------------------|------|----------|--------------------------------|
/// | float8_e4m3fn   | 4, 3                    | 7    | 448      | NaN 0x7f, 0xff                 |
/// | float8_e4m3fnuz | 4, 3                    | 8    | 240      | NaN 0x80; no negative 0        |
/// | float8_e5m2     | 5, 2                    | 15   | 57344    | infinity 0x7c, 0xfc; NaN above |
/// | float8_e5m2fnuz | 5, 2                    | 16   | 57344    | NaN 0x80; no negative 0        |
/// | float8_e8m0fnu  | 8, 0                    | 127  | 2^127    | NaN 0xff; no sign and no 0     |
/// | float4_e2m1fn   | 2, 1                    | 1    | 6        |                                |

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptors/cast.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace backplane {

namespace internal {

/// A binary float of at most 8 bits. Codes are those of positive numbers, without the sign.
struct NarrowFloatFormat {
  int exponent_bits;
  int fraction_bits;
  int bias;
  int greatest;    // the code of the greatest number
  int beyond;      // the code of infinity, or of NaN where there is none; -1 without either
  int nan;         // of NaN, with the sign; -1 without
  bool is_signed;  // otherwise the sign is dropped
  bool has_negative_zero;
};

inline constexpr NarrowFloatFormat kE4M3FN = {4, 3, 7, 0x7e, 0x7f, 0x7f, true, true};
inline constexpr NarrowFloatFormat kE4M3FNUZ = {4, 3, 8, 0x7f, 0x80, 0x80, true, false};
inline constexpr NarrowFloatFormat kE5M2 = {5, 2, 15, 0x7b, 0x7c, 0x7e, true, true};
inline constexpr NarrowFloatFormat kE5M2FNUZ = {5, 2, 16, 0x7f, 0x80, 0x80, true, false};
inline constexpr NarrowFloatFormat kE8M0FNU = {8, 0, 127, 0xfe, 0xff, 0xff, false, false};
inline constexpr NarrowFloatFormat kE2M1FN = {2, 1, 1, 0x7, -1, -1, true, true};

/// Null for a type that is no narrow float. Static storage.
constexpr const NarrowFloatFormat* FindNarrowFloatFormat(DataType type) {
  switch (type) {
    case DataType::kFloat8E4M3FN:
      return &kE4M3FN;
    case DataType::kFloat8E4M3FNUZ:
      return &kE4M3FNUZ;
    case DataType::kFloat8E5M2:
      return &kE5M2;
    case DataType::kFloat8E5M2FNUZ:
      return &kE5M2FNUZ;
    case DataType::kFloat8E8M0FNU:
      return &kE8M0FNU;
    case DataType::kFloat4E2M1FN:
      return &kE2M1FN;
    default:
      return nullptr;
  }
}

}  // namespace internal

/// Whether a type is one of the floats of at most 8 bits. Since 1.0.
constexpr bool IsNarrowFloat(DataType type) {
  return internal::FindNarrowFloatFormat(type) != nullptr;
}

/// Whether a type is one of the integers of fewer than 8 bits. Since 1.0.
constexpr bool IsNarrowInteger(DataType type) {
  return type == DataType::kInt4 || type == DataType::kUInt4 || type == DataType::kInt2 ||
         type == DataType::kUInt2;
}

/// Whether a type is narrow: a float or an integer of this header. Since 1.0.
constexpr bool IsNarrowType(DataType type) {
  return IsNarrowFloat(type) || IsNarrowInteger(type);
}

/// The bits of an element that count: 2 or 4 of narrow types that have so few, all of others; 0
/// for a type that these headers do not know. Since 1.0.
constexpr std::uint32_t GetDataTypeSizeBits(DataType type) {
  switch (type) {
    case DataType::kInt2:
    case DataType::kUInt2:
      return 2;
    case DataType::kInt4:
    case DataType::kUInt4:
    case DataType::kFloat4E2M1FN:
      return 4;
    default:
      return 8 * GetDataTypeSizeBytes(type);
  }
}

/// The number that the bits of a narrow float stand for; float32 has all of them. `type` must be a
/// narrow float. Since 1.0.
inline float DecodeNarrowFloat(DataType type, std::uint8_t bits) {
  const internal::NarrowFloatFormat& format = *internal::FindNarrowFloatFormat(type);
  const int num_bits = format.exponent_bits + format.fraction_bits;
  const int code = bits & ((1 << num_bits) - 1);
  const bool is_negative = format.is_signed && ((bits >> num_bits) & 1) != 0;
  const bool is_nan_of_zero = format.nan == 1 << num_bits && is_negative && code == 0;
  if (is_nan_of_zero) return std::numeric_limits<float>::quiet_NaN();
  float value = 0.0F;
  if (code > format.greatest) {
    const bool is_infinity = code == format.beyond && format.beyond != format.nan;
    value = is_infinity ? std::numeric_limits<float>::infinity()
                        : std::numeric_limits<float>::quiet_NaN();
  } else if (format.fraction_bits == 0) {
    value = std::ldexp(1.0F, code - format.bias);
  } else {
    const int exponent = code >> format.fraction_bits;
    const int fraction = code & ((1 << format.fraction_bits) - 1);
    const int whole = exponent == 0 ? fraction : fraction + (1 << format.fraction_bits);
    const int power = (exponent == 0 ? 1 : exponent) - format.bias - format.fraction_bits;
    value = std::ldexp(static_cast<float>(whole), power);
  }
  return is_negative ? -value : value;
}

/// The nearest narrow float, as CastDescriptor says. A type without NaN has negative 0 for it.
/// `type` must be a narrow float. Since 1.0.
inline std::uint8_t EncodeNarrowFloat(DataType type, double value,
                                      NarrowOverflow overflow = NarrowOverflow::kSaturate,
                                      ScaleRounding scale_rounding = ScaleRounding::kUp) {
  const internal::NarrowFloatFormat& format = *internal::FindNarrowFloatFormat(type);
  const int sign_bit = format.is_signed ? 1 << (format.exponent_bits + format.fraction_bits) : 0;
  if (std::isnan(value)) return static_cast<std::uint8_t>(format.nan >= 0 ? format.nan : sign_bit);
  const bool is_scale = format.fraction_bits == 0;
  const double magnitude = std::fabs(value);
  const int least_exponent = (is_scale ? 0 : 1) - format.bias;
  int code = format.greatest + 1;
  if (std::isinf(magnitude)) {
    if (is_scale) return static_cast<std::uint8_t>(format.nan);
  } else if (is_scale) {
    int exponent = 0;
    const double fraction = std::frexp(magnitude, &exponent);  // from 0.5, which is a power of two
    const bool is_up = (scale_rounding == ScaleRounding::kUp && fraction > 0.5) ||
                       (scale_rounding == ScaleRounding::kNearest && fraction >= 0.75);
    const int power = exponent - 1 + (is_up ? 1 : 0);
    code = magnitude > 0 && power > least_exponent ? power + format.bias : 0;
  } else if (magnitude < std::ldexp(1.0, format.bias + 2)) {  // beyond all of them
    const int exponent = magnitude > 0 ? std::ilogb(magnitude) : least_exponent;
    const int place = exponent > least_exponent ? exponent : least_exponent;
    // With the bit in front of the point, which adds 1 to the exponent; subnormal numbers lack it.
    const double steps = std::ldexp(magnitude, format.fraction_bits - place);
    const double floor = std::floor(steps);
    const double rest = steps - floor;
    const int whole = static_cast<int>(floor);
    const bool is_up = rest > 0.5 || (rest == 0.5 && whole % 2 != 0);
    code = ((place - least_exponent) << format.fraction_bits) + whole + (is_up ? 1 : 0);
  }
  if (code > format.greatest) {
    const bool saturates = overflow == NarrowOverflow::kSaturate || format.beyond < 0;
    code = saturates ? format.greatest : format.beyond;
  }
  const bool is_negative = std::signbit(value) && (code != 0 || format.has_negative_zero);
  return static_cast<std::uint8_t>(is_negative ? code | sign_bit : code);
}

/// The integer that the lowest bits of a byte stand for. `type` must be a narrow integer.
/// Since 1.0.
constexpr int DecodeNarrowInteger(DataType type, std::uint8_t bits) {
  const int count = 1 << GetDataTypeSizeBits(type);
  const int value = bits & (count - 1);
  const bool is_signed = type == DataType::kInt4 || type == DataType::kInt2;
  return is_signed && value >= count / 2 ? value - count : value;
}

/// The byte of an element whose lowest bits are those of a number. `type` must be a narrow integer.
/// Since 1.0.
constexpr std::uint8_t EncodeNarrowInteger(DataType type, std::uint64_t number) {
  return static_cast<std::uint8_t>(
      DecodeNarrowInteger(type, static_cast<std::uint8_t>(number & 0xffU)));
}

/// The least number of a narrow integer, and the greatest. Since 1.0.
constexpr int GetLeastNarrowInteger(DataType type) {
  const bool is_signed = type == DataType::kInt4 || type == DataType::kInt2;
  return is_signed ? -(1 << (GetDataTypeSizeBits(type) - 1)) : 0;
}
constexpr int GetGreatestNarrowInteger(DataType type) {
  return GetLeastNarrowInteger(type) + (1 << GetDataTypeSizeBits(type)) - 1;
}

}  // namespace backplane
