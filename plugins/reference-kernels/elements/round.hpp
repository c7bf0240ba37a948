#pragma once

/// Rounding in forms that the compiler vectorises.

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace backplane {
namespace reference {

/// The nearest integer, the even one of two. Only for magnitudes below 2^22, or 2^51 for double.
template <typename Real>
Real RoundSmall(Real value) {
  // Where this added, the last digit of the sum weighs 1.
  constexpr Real kShift =
      std::is_same<Real, float>::value ? static_cast<Real>(0x1.8p23F) : static_cast<Real>(0x1.8p52);
  return (value + kShift) - kShift;
}

/// Bounds of `Stored` as seen from a zero point that is a value of Stored. NaN becomes `least`.
template <typename Stored, typename Real>
struct StoredRange {
  explicit StoredRange(std::int32_t zero_point)
      : least(static_cast<Real>(std::numeric_limits<Stored>::min() - zero_point)),
        greatest(static_cast<Real>(std::numeric_limits<Stored>::max() - zero_point)) {}

  Real Clamp(Real value) const {
    const Real raised = value > least ? value : least;
    return raised < greatest ? raised : greatest;
  }

  Real least;
  Real greatest;
};

/// Whether the zero point is a value of the type.
template <typename Stored>
bool IsInRange(std::int32_t zero_point) {
  return zero_point >= std::numeric_limits<Stored>::min() &&
         zero_point <= std::numeric_limits<Stored>::max();
}

}  // namespace reference
}  // namespace backplane
