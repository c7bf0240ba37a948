#pragma once

#include "elements/round.hpp"

#include <algorithm>

namespace backplane {
namespace reference {

/// round-half-to-even(real / scale) + zero point, saturated; NaN counts as 0. The division is done
/// in Real.
template <typename Stored, typename Real>
Stored QuantiseElement(Real real, Real scale, std::int32_t zero_point) {
  const double quotient = static_cast<double>(real / scale);
  if (std::isnan(quotient)) {
    return static_cast<Stored>(std::clamp<std::int64_t>(
        zero_point, std::numeric_limits<Stored>::min(), std::numeric_limits<Stored>::max()));
  }
  const double stored = std::nearbyint(quotient) + zero_point;
  return static_cast<Stored>(std::clamp<double>(stored, std::numeric_limits<Stored>::min(),
                                                std::numeric_limits<Stored>::max()));
}

/// The same for elements of 8 bits and a zero point that is one of their values.
template <typename Stored, typename Real>
void QuantiseBytes(const Real* reals, std::int64_t count, Real scale, std::int32_t zero_point,
                   Stored* stored) {
  const StoredRange<Stored, Real> range(zero_point);
  for (std::int64_t i = 0; i < count; ++i) {
    const Real quotient = reals[i] / scale;
    const Real number = quotient == quotient ? quotient : Real{};
    const auto rounded = static_cast<std::int32_t>(RoundSmall(range.Clamp(number)));
    stored[i] = static_cast<Stored>(rounded + zero_point);
  }
}

template <typename Stored, typename Real>
void QuantiseElements(const Real* reals, std::int64_t count, float scale, std::int32_t zero_point,
                      Stored* stored) {
  const auto real_scale = static_cast<Real>(scale);
  if constexpr (sizeof(Stored) == 1) {
    if (IsInRange<Stored>(zero_point)) {
      return QuantiseBytes(reals, count, real_scale, zero_point, stored);
    }
  }
  for (std::int64_t i = 0; i < count; ++i) {
    stored[i] = QuantiseElement<Stored>(reals[i], real_scale, zero_point);
  }
}

}  // namespace reference
}  // namespace backplane
