#pragma once

/// Tensors of every data type: made at random, and read as numbers.

#include "conformance/random.hpp"
#include "conformance/test_layer.hpp"

#include <backplane/api/narrow_types.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace backplane {
namespace conformance {

/// Wide enough for a sum of products of the widest integers: signed, and modulo 2^128.
__extension__ using Wide = __int128;
__extension__ using Ring = unsigned __int128;

/// A dense tensor as it is stored.
struct StoredTensor {
  explicit StoredTensor(const TensorInfo& tensor_info)
      : info(tensor_info), bytes(static_cast<std::size_t>(tensor_info.GetSizeBytes())) {}

  TensorInfo info;
  std::vector<unsigned char> bytes;
};

/// A dense tensor of numbers.
template <typename Number>
struct NumberTensor {
  Number At(const std::vector<std::int64_t>& indices) const {
    std::int64_t element = 0;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      element = element * shape[axis] + indices[axis];
    }
    return data.at(static_cast<std::size_t>(element));
  }

  TensorShape shape;
  std::vector<Number> data;
};

inline bool IsFloat(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat16 || type == DataType::kBFloat16 ||
         type == DataType::kFloat64 || IsNarrowFloat(type);
}

inline bool IsSigned(DataType type) {
  return type == DataType::kInt8 || type == DataType::kInt16 || type == DataType::kInt32 ||
         type == DataType::kInt64 || type == DataType::kInt4 || type == DataType::kInt2;
}

/// A binary float of any format, straight from its definition.
inline double DecodeFloat(std::uint64_t bits, int exponent_bits, int fraction_bits) {
  const auto fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto exponents = (std::uint64_t{1} << exponent_bits) - 1;
  const auto exponent = static_cast<int>((bits >> fraction_bits) & exponents);
  const int bias = static_cast<int>(exponents / 2);
  double value = std::ldexp(static_cast<double>(fraction), -fraction_bits);
  if (exponent == static_cast<int>(exponents)) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  } else {
    value = exponent == 0 ? std::ldexp(value, 1 - bias) : std::ldexp(1.0 + value, exponent - bias);
  }
  return (bits >> (exponent_bits + fraction_bits)) == 0 ? value : -value;
}

/// A finite number of any format.
inline double DecodeFinite(std::uint64_t bits, int exponent_bits, int fraction_bits, int bias) {
  const auto fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto exponents = (std::uint64_t{1} << exponent_bits) - 1;
  const auto exponent = static_cast<int>((bits >> fraction_bits) & exponents);
  const double behind = std::ldexp(static_cast<double>(fraction), -fraction_bits);
  const double value =
      exponent == 0 ? std::ldexp(behind, 1 - bias) : std::ldexp(1.0 + behind, exponent - bias);
  return (bits >> (exponent_bits + fraction_bits)) == 0 ? value : -value;
}

/// A float of at most 8 bits.
inline double DecodeNarrow(DataType type, std::uint64_t bits) {
  switch (type) {
    case DataType::kFloat8E4M3FN:
      return (bits & 0x7fU) == 0x7fU ? std::nan("") : DecodeFinite(bits, 4, 3, 7);
    case DataType::kFloat8E4M3FNUZ:
      return bits == 0x80U ? std::nan("") : DecodeFinite(bits, 4, 3, 8);
    case DataType::kFloat8E5M2:
      return DecodeFloat(bits, 5, 2);
    case DataType::kFloat8E5M2FNUZ:
      return bits == 0x80U ? std::nan("") : DecodeFinite(bits, 5, 2, 16);
    case DataType::kFloat8E8M0FNU:
      return bits == 0xffU ? std::nan("") : std::ldexp(1.0, static_cast<int>(bits) - 127);
    default:
      return DecodeFinite(bits & 0xfU, 2, 1, 1);
  }
}

/// The bits of an element, with those above its size 0.
inline std::uint64_t GetBits(const StoredTensor& tensor, std::size_t element) {
  const std::size_t size = GetDataTypeSizeBytes(tensor.info.data_type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, tensor.bytes.data() + element * size, size);
  return bits;
}

inline Wide GetInteger(const StoredTensor& tensor, std::size_t element) {
  const auto size_bits = static_cast<int>(GetDataTypeSizeBits(tensor.info.data_type));
  const Wide value = static_cast<Wide>(GetBits(tensor, element)) & ((Wide{1} << size_bits) - 1);
  const bool is_negative = IsSigned(tensor.info.data_type) && (value >> (size_bits - 1)) != 0;
  return is_negative ? value - (Wide{1} << size_bits) : value;
}

inline double GetFloat(const StoredTensor& tensor, std::size_t element) {
  const std::uint64_t bits = GetBits(tensor, element);
  const DataType type = tensor.info.data_type;
  if (IsNarrowFloat(type)) return DecodeNarrow(type, bits);
  switch (type) {
    case DataType::kFloat16:
      return DecodeFloat(bits, 5, 10);
    case DataType::kBFloat16:
      return DecodeFloat(bits, 8, 7);
    case DataType::kFloat64:
      return DecodeFloat(bits, 11, 52);
    default:
      return DecodeFloat(bits, 8, 23);
  }
}

/// Which of the scales an element has.
inline std::size_t GetChannel(const TensorInfo& info, std::size_t element) {
  if (!info.quantization.IsPerAxis()) return 0;
  const auto indices = GetIndices(info.shape, static_cast<std::int64_t>(element));
  return static_cast<std::size_t>(indices[static_cast<std::size_t>(info.quantization.axis)]);
}

inline long double GetScale(const TensorInfo& info, std::size_t channel) {
  return static_cast<long double>(info.quantization.scales[channel]);
}

inline long double GetZeroPoint(const TensorInfo& info, std::size_t channel) {
  const auto& zero_points = info.quantization.zero_points;
  return zero_points.empty() ? 0.0L : static_cast<long double>(zero_points[channel]);
}

/// One element: the real number for floats and quantised ones, else the integer.
template <typename Number>
Number DecodeElement(const StoredTensor& tensor, std::size_t element) {
  if constexpr (std::is_same<Number, long double>::value) {
    const auto stored = static_cast<long double>(GetInteger(tensor, element));
    if (tensor.info.quantization.IsQuantized()) {
      const std::size_t channel = GetChannel(tensor.info, element);
      return GetScale(tensor.info, channel) * (stored - GetZeroPoint(tensor.info, channel));
    }
    return IsFloat(tensor.info.data_type) ? static_cast<long double>(GetFloat(tensor, element))
                                          : stored;
  } else {
    // Indices may be floats beside values that are integers.
    if (IsFloat(tensor.info.data_type)) return static_cast<Number>(GetFloat(tensor, element));
    return static_cast<Number>(GetInteger(tensor, element));
  }
}

/// What a tensor stands for.
template <typename Number>
NumberTensor<Number> Decode(const StoredTensor& tensor) {
  NumberTensor<Number> numbers;
  numbers.shape = tensor.info.shape;
  const auto count = static_cast<std::size_t>(tensor.info.shape.GetNumElements());
  for (std::size_t i = 0; i < count; ++i) numbers.data.push_back(DecodeElement<Number>(tensor, i));
  return numbers;
}

/// The bits of a number that the format holds exactly.
inline std::uint64_t EncodeFloat(double value, int exponent_bits, int fraction_bits) {
  const std::uint64_t exponents = (std::uint64_t{1} << exponent_bits) - 1;
  const auto sign = std::uint64_t{std::signbit(value) ? 1U : 0U} << (exponent_bits + fraction_bits);
  if (value == 0) return sign;
  if (!std::isfinite(value)) {
    return sign | exponents << fraction_bits | (std::isnan(value) ? 1U : 0U);
  }
  const int bias = static_cast<int>(exponents / 2);
  const int exponent = std::max(std::ilogb(value) + bias, 1);
  // With the bit in front of the point, which adds 1 to the exponent; subnormal numbers lack it.
  const double steps = std::ldexp(std::fabs(value), fraction_bits + bias - exponent);
  const auto before = static_cast<std::uint64_t>(exponent - 1) << fraction_bits;
  return sign | (before + static_cast<std::uint64_t>(steps));
}

/// The bits of a number that a float of at most 8 bits holds exactly.
inline std::uint64_t EncodeNarrow(DataType type, double value) {
  for (std::uint64_t bits = 0; bits < 0x100; ++bits) {
    const double number = DecodeNarrow(type, bits);
    if (std::isnan(value) && std::isnan(number)) return bits;
    if (number == value && std::signbit(number) == std::signbit(value)) return bits;
  }
  return 0;
}

/// Stores a number that the data type holds exactly.
inline void SetElement(StoredTensor& tensor, std::size_t element, long double value) {
  std::uint64_t bits = 0;
  const auto real = static_cast<double>(value);
  const auto narrow = static_cast<float>(value);
  if (!IsFloat(tensor.info.data_type)) {
    bits = static_cast<std::uint64_t>(static_cast<Wide>(value));
  } else if (tensor.info.data_type == DataType::kFloat64) {
    std::memcpy(&bits, &real, sizeof(real));
  } else if (tensor.info.data_type == DataType::kFloat32) {
    std::memcpy(&bits, &narrow, sizeof(narrow));
  } else if (IsNarrowFloat(tensor.info.data_type)) {
    bits = EncodeNarrow(tensor.info.data_type, real);
  } else {
    const bool is_half = tensor.info.data_type == DataType::kFloat16;
    bits = EncodeFloat(real, is_half ? 5 : 8, is_half ? 10 : 7);
  }
  const std::size_t size = GetDataTypeSizeBytes(tensor.info.data_type);
  std::memcpy(tensor.bytes.data() + element * size, &bits, size);
}

/// The bits of a random element of a narrow type: a number between -4 and 4.
inline std::uint64_t MakeNarrow(DataType type, Random& random) {
  const std::uint64_t most = (std::uint64_t{1} << GetDataTypeSizeBits(type)) - 1;
  for (;;) {
    const std::uint64_t bits = random.Word(0, static_cast<std::uint32_t>(most));
    if (IsNarrowFloat(type) && std::fabs(DecodeNarrow(type, bits)) <= 4) return bits;
    if (IsNarrowFloat(type)) continue;
    const bool is_negative = IsSigned(type) && bits > most / 2;
    return is_negative ? bits | (0xffU & ~most) : bits;
  }
}

/// Random elements: floats between -4 and 4; all integers, but so that a few dozen add up to 64
/// bits.
inline StoredTensor MakeRandomTensor(const TensorInfo& info, Random& random) {
  StoredTensor tensor(info);
  const std::size_t size = GetDataTypeSizeBytes(info.data_type);
  for (std::size_t at = 0; at < tensor.bytes.size(); at += size) {
    auto bits = static_cast<std::uint64_t>(random.Integer(
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
    const double real = static_cast<double>(random.Integer(-4000, 4000)) / 1000.0;
    const auto narrow = static_cast<float>(real);
    if (info.data_type == DataType::kFloat64) std::memcpy(&bits, &real, sizeof(real));
    if (info.data_type == DataType::kFloat32) std::memcpy(&bits, &narrow, sizeof(narrow));
    // Exponents from 2^-3 to 2^1.
    if (info.data_type == DataType::kFloat16) {
      bits = (bits & 0x83ffU) | (random.Word(12, 16) << 10U);
    }
    if (info.data_type == DataType::kBFloat16) {
      bits = (bits & 0x807fU) | (random.Word(124, 128) << 7U);
    }
    if (info.data_type == DataType::kBool) bits &= 1U;
    if (IsNarrowType(info.data_type)) bits = MakeNarrow(info.data_type, random);
    if (info.data_type == DataType::kUInt64) bits >>= 6U;
    if (info.data_type == DataType::kInt64) bits = (bits >> 6U) - (std::uint64_t{1} << 57U);
    std::memcpy(tensor.bytes.data() + at, &bits, size);
  }
  return tensor;
}

}  // namespace conformance
}  // namespace backplane
