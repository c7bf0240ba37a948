#include "tensors/elements.hpp"

#include "tensors/float_formats.hpp"

#include <backplane/api/narrow_types.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace backplane::execute_network {
namespace {

struct Float16 {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};
struct Bool {  // a bool object may not hold every byte that a backend may have written
  std::uint8_t byte;
};

double ToDouble(Float16 element) {
  return FromFloat16(element.bits);
}
double ToDouble(BFloat16 element) {
  return FromBFloat16(element.bits);
}
double ToDouble(Bool element) {
  return element.byte;
}
template <typename Number>
double ToDouble(Number element) {
  return static_cast<double>(element);
}

template <typename Element>
Element FromDouble(double value) {
  if constexpr (std::is_same_v<Element, Float16>) {
    return {ToFloat16(value)};
  } else if constexpr (std::is_same_v<Element, BFloat16>) {
    return {ToBFloat16(value)};
  } else if constexpr (std::is_same_v<Element, Bool>) {
    return {static_cast<std::uint8_t>(value != 0 ? 1 : 0)};
  } else if constexpr (std::is_integral_v<Element>) {
    // The bounds as doubles may lie just outside of the type.
    using Limits = std::numeric_limits<Element>;
    const double rounded = std::nearbyint(value);
    if (std::isnan(rounded)) return 0;
    if (rounded <= static_cast<double>(Limits::min())) return Limits::min();
    if (rounded >= static_cast<double>(Limits::max())) return Limits::max();
    return static_cast<Element>(rounded);
  } else {
    return static_cast<Element>(value);
  }
}

// Calls `use` with an element of a type, as a tag.
template <typename Use>
void WithElementType(DataType type, Use use) {
  switch (type) {
    case DataType::kFloat32:
      return use(float{});
    case DataType::kFloat64:
      return use(double{});
    case DataType::kFloat16:
      return use(Float16{});
    case DataType::kBFloat16:
      return use(BFloat16{});
    case DataType::kInt8:
      return use(std::int8_t{});
    case DataType::kUInt8:
      return use(std::uint8_t{});
    case DataType::kInt16:
      return use(std::int16_t{});
    case DataType::kUInt16:
      return use(std::uint16_t{});
    case DataType::kInt32:
      return use(std::int32_t{});
    case DataType::kUInt32:
      return use(std::uint32_t{});
    case DataType::kInt64:
      return use(std::int64_t{});
    case DataType::kUInt64:
      return use(std::uint64_t{});
    case DataType::kBool:
      return use(Bool{});
    default:
      break;
  }
}

double DecodeNarrow(DataType type, std::uint8_t bits) {
  return IsNarrowInteger(type) ? DecodeNarrowInteger(type, bits)
                               : static_cast<double>(DecodeNarrowFloat(type, bits));
}

std::uint8_t EncodeNarrow(DataType type, double value) {
  if (IsNarrowFloat(type)) return EncodeNarrowFloat(type, value);
  const auto whole = FromDouble<std::int8_t>(value);
  const int nearest =
      std::clamp<int>(whole, GetLeastNarrowInteger(type), GetGreatestNarrowInteger(type));
  return EncodeNarrowInteger(type, static_cast<std::uint64_t>(nearest));
}

}  // namespace

std::vector<double> ReadElements(const onnx::NamedTensor& tensor) {
  std::vector<double> values;
  if (IsNarrowType(tensor.info.data_type)) {
    for (const unsigned char byte : tensor.data) {
      values.push_back(DecodeNarrow(tensor.info.data_type, byte));
    }
    return values;
  }
  WithElementType(tensor.info.data_type, [&](auto element) {
    values.reserve(tensor.data.size() / sizeof(element));
    for (std::size_t offset = 0; offset < tensor.data.size(); offset += sizeof(element)) {
      std::memcpy(&element, tensor.data.data() + offset, sizeof(element));
      values.push_back(ToDouble(element));
    }
  });
  return values;
}

void WriteElement(double value, std::size_t index, onnx::NamedTensor& tensor) {
  if (IsNarrowType(tensor.info.data_type)) {
    tensor.data[index] = EncodeNarrow(tensor.info.data_type, value);
    return;
  }
  WithElementType(tensor.info.data_type, [&](auto tag) {
    const auto element = FromDouble<decltype(tag)>(value);
    std::memcpy(tensor.data.data() + index * sizeof(element), &element, sizeof(element));
  });
}

}  // namespace backplane::execute_network
