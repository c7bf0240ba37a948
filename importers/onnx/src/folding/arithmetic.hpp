#pragma once

/// Numbers of one type, as operators of ONNX calculate with them.

#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

namespace backplane::onnx {

/// Integers wrap around.
template <typename Number, typename Operation>
Number Wrap(Number a, Number b, Operation operation) {
  if constexpr (std::is_integral_v<Number>) {
    return static_cast<Number>(
        operation(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  } else {
    return operation(a, b);
  }
}

inline constexpr auto kPlus = [](auto a, auto b) { return Wrap(a, b, std::plus<>()); };
inline constexpr auto kMinus = [](auto a, auto b) { return Wrap(a, b, std::minus<>()); };
inline constexpr auto kTimes = [](auto a, auto b) { return Wrap(a, b, std::multiplies<>()); };

template <typename Number>
Number GetLowest() {
  using Limits = std::numeric_limits<Number>;
  return Limits::has_infinity ? static_cast<Number>(-Limits::infinity()) : Limits::lowest();
}

template <typename Number>
Number GetHighest() {
  using Limits = std::numeric_limits<Number>;
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

}  // namespace backplane::onnx
