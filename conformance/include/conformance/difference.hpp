#pragma once

/// Holds stored results against numbers that were computed in some other way.

#include "conformance/typed_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane {
namespace conformance {

/// How far a float may be from what it should be. The parts add up.
struct Tolerance {
  long double relative = 0;     // of the number itself
  long double of_greatest = 0;  // of the greatest finite one of the tensor: sums lose what is small
                                // beside their greatest parts
  long double absolute = 0;
};

/// Of what is computed element by element in the order of the definition, as CpuRef does.
inline Tolerance GetReferenceTolerance(DataType type) {
  switch (type) {
    case DataType::kFloat64:
      return {1e-13L, 0, 1e-12L};
    case DataType::kFloat16:
      return {0x1p-11L + 1e-5L, 0, 1e-4L};
    case DataType::kBFloat16:
      return {0x1p-8L + 1e-5L, 0, 1e-4L};
    default:
      return {1e-5L, 0, 1e-4L};
  }
}

/// Of what is computed fast: in another order, by other formulas.
inline Tolerance GetFastTolerance(DataType type) {
  return type == DataType::kFloat32 ? Tolerance{1e-4L, 1e-4L, 1e-5L} : GetReferenceTolerance(type);
}

struct Difference {
  std::size_t element = 0;
  long double found = 0;
  long double expected = 0;
  long double allowed = 0;  // how far apart they may be
};

namespace internal {

template <typename Number>
long double FindGreatest(const std::vector<Number>& numbers) {
  long double greatest = 0;
  for (const Number number : numbers) {
    const long double magnitude = std::fabs(static_cast<long double>(number));
    if (std::isfinite(magnitude)) greatest = std::max(greatest, magnitude);
  }
  return greatest;
}

/// The stored element must be the real number rounded to the nearest that its scale has. Only next
/// to a tie either neighbour will do. What is no number counts as 0.
inline std::optional<Difference> CompareQuantized(const StoredTensor& found, std::size_t element,
                                                  long double real) {
  if (std::isnan(real)) real = 0;
  const std::size_t channel = GetChannel(found.info, element);
  const long double exact =
      real / GetScale(found.info, channel) + GetZeroPoint(found.info, channel);
  const int bits = static_cast<int>(8 * GetDataTypeSizeBytes(found.info.data_type));
  const long double count = std::ldexp(1.0L, bits);
  const long double least = IsSigned(found.info.data_type) ? -count / 2 : 0.0L;
  const auto saturate = [&](long double value) {
    return std::fmin(std::fmax(value, least), least + count - 1);
  };
  const auto stored = static_cast<long double>(GetInteger(found, element));
  const long double nearest = saturate(std::nearbyint(exact));
  if (stored == nearest) return std::nullopt;
  const long double to_tie = std::fabs(std::fabs(exact - std::floor(exact)) - 0.5L);
  // Sums and products of bytes are defined in float32, which decides what is a tie.
  const bool is_tie = to_tie <= (bits == 8 ? 2e-3L : 1e-4L);
  if (is_tie && (stored == saturate(std::floor(exact)) || stored == saturate(std::ceil(exact)))) {
    return std::nullopt;
  }
  return Difference{element, stored, nearest, is_tie ? 1.0L : 0.0L};
}

inline std::optional<Difference> CompareFloat(const StoredTensor& found, std::size_t element,
                                              long double expected, const Tolerance& tolerance,
                                              long double greatest) {
  const auto value = static_cast<long double>(GetFloat(found, element));
  // It has no 0, which is the least that it has.
  if (found.info.data_type == DataType::kFloat8E8M0FNU && expected == 0) expected = 0x1p-127L;
  if (value == expected || (std::isnan(value) && std::isnan(expected))) return std::nullopt;
  const long double allowed = tolerance.relative * std::fabs(expected) +
                              tolerance.of_greatest * greatest + tolerance.absolute;
  if (std::fabs(value - expected) <= allowed && std::isfinite(expected)) return std::nullopt;
  return Difference{element, value, expected, allowed};
}

/// An integer that is not quantised, whatever it was computed in: what its type has no room for
/// wraps.
template <typename Number>
std::optional<Difference> CompareInteger(const StoredTensor& found, std::size_t element,
                                         Number expected) {
  const DataType type = found.info.data_type;
  const auto bits = static_cast<std::uint64_t>(static_cast<Wide>(expected));
  const std::uint32_t size_bits = GetDataTypeSizeBits(type);
  std::uint64_t kept = size_bits == 64 ? bits : bits & ((std::uint64_t{1} << size_bits) - 1);
  const bool is_extended = IsNarrowInteger(type) && IsSigned(type) && kept >> (size_bits - 1) != 0;
  if (is_extended) kept |= 0x100U - (std::uint64_t{1} << size_bits);  // to a byte
  if (GetBits(found, element) == kept) return std::nullopt;
  return Difference{element, static_cast<long double>(GetInteger(found, element)),
                    static_cast<long double>(expected), 0};
}

}  // namespace internal

/// The first element of `found` that is not what was expected; none when all are. Integers and
/// quantised elements have no tolerance but for ties. Requires as many elements as are expected.
template <typename Number>
std::optional<Difference> FindDifference(const StoredTensor& found,
                                         const std::vector<Number>& expected,
                                         const Tolerance& tolerance) {
  const long double greatest = internal::FindGreatest(expected);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::optional<Difference> difference;
    if (found.info.quantization.IsQuantized()) {
      difference = internal::CompareQuantized(found, i, static_cast<long double>(expected[i]));
    } else if (IsFloat(found.info.data_type)) {
      difference = internal::CompareFloat(found, i, static_cast<long double>(expected[i]),
                                          tolerance, greatest);
    } else {
      difference = internal::CompareInteger(found, i, expected[i]);
    }
    if (difference) return difference;
  }
  return std::nullopt;
}

/// The first element of `found` that is not that of `expected`, which has the same type and shape.
/// Quantised elements must be equal.
inline std::optional<Difference> FindDifferentElement(const StoredTensor& found,
                                                      const StoredTensor& expected,
                                                      const Tolerance& tolerance) {
  if (IsFloat(found.info.data_type)) {
    return FindDifference(found, Decode<long double>(expected).data, tolerance);
  }
  const auto count = static_cast<std::size_t>(found.info.shape.GetNumElements());
  for (std::size_t i = 0; i < count; ++i) {
    if (GetBits(found, i) == GetBits(expected, i)) continue;
    return Difference{i, DecodeElement<long double>(found, i),
                      DecodeElement<long double>(expected, i), 0};
  }
  return std::nullopt;
}

/// As "element 3: 1.5 instead of 2, which may be 0.0002 apart".
std::string ToText(const Difference& difference);

}  // namespace conformance
}  // namespace backplane
