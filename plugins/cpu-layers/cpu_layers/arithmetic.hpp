#pragma once

/// What arithmetic means for the numbers that kernels calculate with: float, double, int64_t and
/// uint64_t. Integers wrap around; narrower ones are calculated as these and cut off when stored,
/// which wraps around as well. Nothing here is undefined or raises a signal.

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace backplane {
namespace cpu_layers {

/// The type in which sums and products of a number wrap around.
template <typename Number>
using Wrapping =
    std::conditional_t<std::is_same<Number, std::int64_t>::value, std::uint64_t, Number>;

template <typename Number>
Number Add(Number a, Number b) {
  using Type = Wrapping<Number>;
  return static_cast<Number>(static_cast<Type>(a) + static_cast<Type>(b));
}

template <typename Number>
Number Subtract(Number a, Number b) {
  using Type = Wrapping<Number>;
  return static_cast<Number>(static_cast<Type>(a) - static_cast<Type>(b));
}

template <typename Number>
Number Multiply(Number a, Number b) {
  using Type = Wrapping<Number>;
  return static_cast<Number>(static_cast<Type>(a) * static_cast<Type>(b));
}

/// Integers are rounded towards zero; divided by zero they give 0, and the least one divided by -1
/// itself.
template <typename Number>
Number Divide(Number a, Number b) {
  if constexpr (std::is_integral<Number>::value) {
    if (b == 0) return 0;
    if constexpr (std::is_signed<Number>::value) {
      if (b == -1) return Subtract<Number>(0, a);
    }
  }
  return a / b;
}

/// What is left of a division that is rounded towards zero, with the sign of `a`; of integers
/// divided by zero, 0.
template <typename Number>
Number GetRemainder(Number a, Number b) {
  if constexpr (std::is_integral<Number>::value) {
    return b == 0 ? 0 : Subtract(a, Multiply(Divide(a, b), b));
  } else {
    return std::fmod(a, b);
  }
}

/// What is left of a division that is rounded down, with the sign of `b`.
template <typename Number>
Number GetModulo(Number a, Number b) {
  const Number remainder = GetRemainder(a, b);
  return remainder != 0 && (remainder < 0) != (b < 0) ? Add(remainder, b) : remainder;
}

/// Integers raised to a negative one are rounded towards zero.
template <typename Number>
Number RaiseToPower(Number base, Number exponent) {
  if constexpr (std::is_integral<Number>::value) {
    if (exponent < 0) {
      if (base != 1 && Add<Number>(base, 1) != 0) return 0;
      exponent = exponent % 2 == 0 ? 0 : 1;
    }
    Number power = 1;
    for (; exponent != 0; exponent /= 2) {
      if (exponent % 2 != 0) power = Multiply(power, base);
      base = Multiply(base, base);
    }
    return power;
  } else {
    return std::pow(base, exponent);
  }
}

/// NaN in either operand gives NaN.
template <typename Number>
Number GetMaximum(Number a, Number b) {
  return a > b || a != a ? a : b;
}

template <typename Number>
Number GetMinimum(Number a, Number b) {
  return a < b || a != a ? a : b;
}

}  // namespace cpu_layers
}  // namespace backplane
