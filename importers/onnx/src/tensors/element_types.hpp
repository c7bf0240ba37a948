#pragma once

#include <backplane/api/data_type.hpp>

#include <cstdint>

namespace backplane::onnx {

/// The bits of a float16.
struct Float16 {
  std::uint16_t bits = 0;
};
/// The bits of a bfloat16.
struct BFloat16 {
  std::uint16_t bits = 0;
};

float ToFloat(Float16 value);
/// Rounded to nearest, ties to even.
Float16 ToFloat16(double value);
float ToFloat(BFloat16 value);
/// Rounded to nearest, ties to even.
BFloat16 ToBFloat16(double value);

template <typename Element>
struct ElementType {
  using Type = Element;
};

/// Calls `function(ElementType<E>{})` with the type E that elements of a data type have in memory.
/// `type` must be neither kUndefined nor narrow.
template <typename Function>
auto VisitElementType(DataType type, Function&& function) {
  switch (type) {
    case DataType::kFloat16:
      return function(ElementType<Float16>{});
    case DataType::kBFloat16:
      return function(ElementType<BFloat16>{});
    case DataType::kFloat64:
      return function(ElementType<double>{});
    case DataType::kInt8:
      return function(ElementType<std::int8_t>{});
    case DataType::kUInt8:
      return function(ElementType<std::uint8_t>{});
    case DataType::kInt16:
      return function(ElementType<std::int16_t>{});
    case DataType::kUInt16:
      return function(ElementType<std::uint16_t>{});
    case DataType::kInt32:
      return function(ElementType<std::int32_t>{});
    case DataType::kUInt32:
      return function(ElementType<std::uint32_t>{});
    case DataType::kInt64:
      return function(ElementType<std::int64_t>{});
    case DataType::kUInt64:
      return function(ElementType<std::uint64_t>{});
    case DataType::kBool:
      return function(ElementType<bool>{});
    default:
      break;
  }
  return function(ElementType<float>{});
}

}  // namespace backplane::onnx
