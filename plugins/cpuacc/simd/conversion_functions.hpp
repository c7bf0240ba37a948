#pragma once

/// Conversions of arrays from one data type to another.

#include <backplane/api/data_type.hpp>

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// The data types that loops over plain arrays know.
enum class NumberType : std::uint32_t { kFloat32, kInt32, kInt64, kUInt8, kInt8, kBool };
constexpr std::size_t kNumNumberTypes = static_cast<std::size_t>(NumberType::kBool) + 1;

/// False when it is none of them.
inline bool FindNumberType(DataType data_type, NumberType* type) {
  constexpr DataType kTypes[kNumNumberTypes] = {DataType::kFloat32, DataType::kInt32,
                                                DataType::kInt64,   DataType::kUInt8,
                                                DataType::kInt8,    DataType::kBool};
  for (std::size_t index = 0; index < kNumNumberTypes; ++index) {
    if (kTypes[index] == data_type) {
      *type = static_cast<NumberType>(index);
      return true;
    }
  }
  return false;
}

/// For each element, as CastDescriptor says.
using CastFunction = void (*)(const void* x, void* y, std::int64_t count);

/// Rounded to the nearest integer, of two the even one, and saturated; NaN counts as 0. The zero
/// point is a value of the type.
template <typename Stored>
using QuantizeFunction = void (*)(const float* x, Stored* y, std::int64_t count, float scale,
                                  std::int32_t zero_point);
template <typename Stored>
using DequantizeFunction = void (*)(const Stored* x, float* y, std::int64_t count, float scale,
                                    std::int32_t zero_point);

/// Of some numbers and 0. NaN does not count.
struct NumberRange {
  float least = 0.0F;
  float greatest = 0.0F;
};

struct ConversionFunctions {
  CastFunction GetCast(NumberType from, NumberType to) const {
    return casts[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }

  CastFunction casts[kNumNumberTypes][kNumNumberTypes] = {};  // from, to
  QuantizeFunction<std::uint8_t> quantize_uint8 = nullptr;
  QuantizeFunction<std::int8_t> quantize_int8 = nullptr;
  QuantizeFunction<std::uint16_t> quantize_uint16 = nullptr;
  QuantizeFunction<std::int16_t> quantize_int16 = nullptr;
  DequantizeFunction<std::uint8_t> dequantize_uint8 = nullptr;
  DequantizeFunction<std::int8_t> dequantize_int8 = nullptr;
  DequantizeFunction<std::uint16_t> dequantize_uint16 = nullptr;
  DequantizeFunction<std::int16_t> dequantize_int16 = nullptr;
  DequantizeFunction<std::int32_t> dequantize_int32 = nullptr;
  NumberRange (*find_range)(const float* x, std::int64_t count) = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
