#pragma once

/// Conversions from any data type to any other, as CastDescriptor defines them. bool elements are
/// Bool here, so that they are told apart from uint8_t.

#include "cpu_layers/float16.hpp"
#include "elements/bfloat16.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace backplane {
namespace reference {

using cpu_layers::Float16;
using cpu_layers::ToFloat16;
using cpu_layers::ToFloat32;

struct Bool {
  std::uint8_t bits;
};

template <typename Element>
constexpr bool kIsNarrowFloat =
    std::is_same<Element, Float16>::value || std::is_same<Element, BFloat16>::value;

/// A number of float or double that a narrower float can be rounded from: exact, or else with an
/// odd last digit, so that rounding again never meets a tie that was none before.
inline float RoundToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value) return nearest;
  // Infinity stands for what is beyond all floats; the greatest float has an odd last digit.
  std::uint32_t word = 0;
  std::memcpy(&word, &nearest, sizeof(word));
  if ((word & 1U) != 0) return nearest;
  return std::nextafterf(nearest, static_cast<double>(nearest) < value
                                      ? std::numeric_limits<float>::infinity()
                                      : -std::numeric_limits<float>::infinity());
}
inline double RoundToOdd(std::uint64_t value) {
  constexpr std::uint64_t kBehindDouble = (1U << 12U) - 1;
  if ((value >> 52U) == 0) return static_cast<double>(value);
  const bool is_exact = (value & kBehindDouble) == 0;
  return static_cast<double>((value & ~kBehindDouble) | (is_exact ? 0 : kBehindDouble + 1));
}
inline double RoundToOdd(std::int64_t value) {
  if (value >= 0) return RoundToOdd(static_cast<std::uint64_t>(value));
  return -RoundToOdd(0 - static_cast<std::uint64_t>(value));
}

/// What is behind the point is dropped. Outside of the range the nearest in it; NaN is 0.
template <typename Integer, typename Real>
Integer Truncate(Real value) {
  // Both bounds are exact: powers of two, or 0.
  constexpr Real kLeast = static_cast<Real>(std::numeric_limits<Integer>::min());
  constexpr Real kBehind =
      static_cast<Real>(Integer{1} << (std::numeric_limits<Integer>::digits - 1)) * 2;
  if (std::isnan(value)) return 0;
  if (value < kLeast) return std::numeric_limits<Integer>::min();
  if (value >= kBehind) return std::numeric_limits<Integer>::max();
  return static_cast<Integer>(value);
}

/// The stored element as a number that C++ calculates with, without loss.
template <typename From>
auto GetNumber(From element) {
  if constexpr (kIsNarrowFloat<From>) {
    return ToFloat32(element);
  } else if constexpr (std::is_same<From, Bool>::value) {
    return static_cast<std::uint8_t>(element.bits != 0 ? 1 : 0);
  } else {
    return element;
  }
}

/// A number that rounds to the same narrow float.
template <typename Number>
float GetRoundable(Number number) {
  if constexpr (std::is_same<Number, float>::value) {
    return number;
  } else if constexpr (std::is_same<Number, double>::value) {
    return RoundToOdd(number);
  } else if constexpr (std::is_signed<Number>::value) {
    return RoundToOdd(RoundToOdd(static_cast<std::int64_t>(number)));
  } else {
    return RoundToOdd(RoundToOdd(static_cast<std::uint64_t>(number)));
  }
}

template <typename To, typename From>
To ConvertElement(From element) {
  const auto number = GetNumber(element);
  using Number = std::remove_const_t<decltype(number)>;
  if constexpr (std::is_same<To, Bool>::value) {
    return {static_cast<std::uint8_t>(number != 0 ? 1 : 0)};
  } else if constexpr (std::is_same<To, From>::value) {
    return element;
  } else if constexpr (std::is_same<To, Float16>::value) {
    return ToFloat16(GetRoundable(number));
  } else if constexpr (std::is_same<To, BFloat16>::value) {
    return ToBFloat16(GetRoundable(number));
  } else if constexpr (std::is_integral<To>::value && std::is_floating_point<Number>::value) {
    return Truncate<To>(number);
  } else {
    return static_cast<To>(number);
  }
}

}  // namespace reference
}  // namespace backplane
