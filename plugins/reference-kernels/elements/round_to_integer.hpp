#pragma once

#include <backplane/api/data_type.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace backplane {
namespace reference {

/// Turns real numbers into those of a data type: of an integer type rounded to nearest, ties to
/// even, and saturated, where NaN is 0; others are only cast. `Number` is what kernels calculate
/// with for the data type.
template <typename Number>
class RoundToType {
 public:
  explicit RoundToType(DataType type) {
    if constexpr (std::is_integral<Number>::value) {
      const auto bits = 8 * GetDataTypeSizeBytes(type);
      greatest_ = std::numeric_limits<Number>::max() >> (64 - bits);
      least_ = std::is_signed<Number>::value ? -greatest_ - 1 : 0;
    }
  }

  Number operator()(double value) const {
    if constexpr (std::is_integral<Number>::value) {
      if (std::isnan(value)) return 0;
      if (value <= static_cast<double>(least_)) return least_;
      if (value >= static_cast<double>(greatest_)) return greatest_;
      return static_cast<Number>(std::nearbyint(value));
    } else {
      return static_cast<Number>(value);
    }
  }

 private:
  Number greatest_ = 0;
  Number least_ = 0;
};

}  // namespace reference
}  // namespace backplane
