#pragma once

/// The activation functions that integers have, for int64_t and uint64_t: their parameters are
/// real, their results are rounded as the descriptor says.

#include "cpu_layers/arithmetic.hpp"

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptors/activation.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace backplane {
namespace reference {

/// 2^63 or 2^64: the first real number above all integers of the type.
template <typename Number>
constexpr double kBeyond = std::is_signed<Number>::value ? 0x1p63 : 0x1p64;

/// A real number without a fraction, drawn to the ends of the type.
template <typename Number>
Number Saturate(double whole) {
  if (whole >= kBeyond<Number>) return std::numeric_limits<Number>::max();
  if (whole <= static_cast<double>(std::numeric_limits<Number>::min())) {
    return std::numeric_limits<Number>::min();
  }
  return static_cast<Number>(whole);
}

/// Bounds are drawn inwards to the next integer, and to the ends of the stored type: what is stored
/// is never outside of the bounds because it was cut off.
template <typename Number>
class IntegerBounds {
 public:
  IntegerBounds(const ActivationDescriptor& descriptor, DataType stored) {
    const auto bits = 8 * GetDataTypeSizeBytes(stored);
    const Number last = std::numeric_limits<Number>::max() >> (64 - bits);
    const Number first = std::is_signed<Number>::value ? -last - 1 : 0;
    const auto saturate = [&](double bound) {
      const Number whole = Saturate<Number>(bound);
      return whole < first ? first : whole > last ? last : whole;
    };
    least_ = saturate(std::ceil(static_cast<double>(descriptor.beta)));
    greatest_ = saturate(std::floor(static_cast<double>(descriptor.alpha)));
  }

  Number operator()(Number x) const {
    const Number bounded_below = x < least_ ? least_ : x;
    return bounded_below > greatest_ ? greatest_ : bounded_below;
  }

 private:
  Number least_ = 0;
  Number greatest_ = 0;
};

/// x + shift for a real shift, rounded towards zero.
template <typename Number>
class IntegerShift {
 public:
  explicit IntegerShift(double shift)
      : whole_(Saturate<std::int64_t>(std::floor(shift))),
        has_fraction_(std::floor(shift) != shift) {}

  Number operator()(Number x) const {
    const Number sum = Add(x, static_cast<Number>(whole_));
    return has_fraction_ && IsSumNegative(x) ? Add<Number>(sum, 1) : sum;
  }

 private:
  // As if the sum did not wrap around. A shift with a fraction is far from the ends of int64.
  bool IsSumNegative(Number x) const {
    if constexpr (std::is_signed<Number>::value) return x < -whole_;
    return whole_ < 0 && x < static_cast<Number>(-whole_);
  }

  std::int64_t whole_;
  bool has_fraction_;
};

template <typename Number>
class IntegerShrink {
 public:
  explicit IntegerShrink(const ActivationDescriptor& descriptor)
      : greatest_below_(FindGreatestBelow(-static_cast<double>(descriptor.alpha))),
        least_above_(FindLeastAbove(static_cast<double>(descriptor.alpha))),
        raise_(static_cast<double>(descriptor.beta)),
        lower_(-static_cast<double>(descriptor.beta)) {}

  Number operator()(Number x) const {
    if (greatest_below_ && x <= *greatest_below_) return raise_(x);
    if (least_above_ && x >= *least_above_) return lower_(x);
    return 0;
  }

 private:
  static std::optional<Number> FindGreatestBelow(double limit) {
    const double whole = std::ceil(limit);
    if (whole >= kBeyond<Number>) return std::numeric_limits<Number>::max();
    if (whole <= static_cast<double>(std::numeric_limits<Number>::min())) return {};
    return Subtract<Number>(static_cast<Number>(whole), 1);
  }

  static std::optional<Number> FindLeastAbove(double limit) {
    const double whole = std::floor(limit);
    if (whole >= kBeyond<Number>) return {};
    if (whole < static_cast<double>(std::numeric_limits<Number>::min())) {
      return std::numeric_limits<Number>::min();
    }
    return Add<Number>(static_cast<Number>(whole), 1);
  }

  const std::optional<Number> greatest_below_;
  const std::optional<Number> least_above_;
  const IntegerShift<Number> raise_;
  const IntegerShift<Number> lower_;
};

/// As VisitActivation, for the functions that integers have. `stored` is the type of the output.
template <typename Number, typename Visit>
void VisitActivationOfIntegers(const ActivationDescriptor& descriptor, DataType stored,
                               const Visit& visit) {
  switch (descriptor.function) {
    case ActivationFunction::kRelu:
      return visit([](Number x) { return x < 0 ? Number{} : x; });
    case ActivationFunction::kBoundedRelu:
      return visit(IntegerBounds<Number>(descriptor, stored));
    case ActivationFunction::kShrink:
      return visit(IntegerShrink<Number>(descriptor));
    default:
      return;
  }
}

}  // namespace reference
}  // namespace backplane
