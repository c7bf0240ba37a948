#include "tensors/element_types.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace backplane::onnx {
namespace {

constexpr int kMantissaBits = 10;
constexpr int kLeastExponent = -14;  // of normal numbers
constexpr double kOverflow = 65520;  // what rounds to more than the greatest

std::uint32_t ToBits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float FromBits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

}  // namespace

float ToFloat(Float16 value) {
  const std::uint32_t sign = (value.bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (value.bits >> 10U) & 0x1FU;
  const std::uint32_t mantissa = value.bits & 0x3FFU;
  if (exponent == 0x1F) return FromBits(sign | 0x7F800000U | (mantissa << 13U));
  if (exponent != 0) return FromBits(sign | ((exponent + 112U) << 23U) | (mantissa << 13U));
  const float magnitude = std::ldexp(static_cast<float>(mantissa), kLeastExponent - kMantissaBits);
  return sign != 0 ? -magnitude : magnitude;
}

Float16 ToFloat16(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) {
    const std::uint32_t payload = (ToBits(static_cast<float>(value)) >> 13U) & 0x3FFU;
    return {static_cast<std::uint16_t>(sign | 0x7E00U | payload)};
  }
  if (magnitude >= kOverflow) return {static_cast<std::uint16_t>(sign | 0x7C00U)};
  const int exponent =
      magnitude > 0 ? std::max(std::ilogb(magnitude), kLeastExponent) : kLeastExponent;
  // In units of the last bit; one that rounds up to the next power of two carries into the
  // exponent.
  const auto units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, kMantissaBits - exponent)));
  const auto base = static_cast<std::uint32_t>(exponent - kLeastExponent) << kMantissaBits;
  return {static_cast<std::uint16_t>(sign | (base + units))};
}

float ToFloat(BFloat16 value) {
  return FromBits(static_cast<std::uint32_t>(value.bits) << 16U);
}

BFloat16 ToBFloat16(double value) {
  const auto nearest = static_cast<float>(value);
  std::uint32_t bits = ToBits(nearest);
  if (std::isnan(value)) return {static_cast<std::uint16_t>((bits >> 16U) | 0x40U)};
  // With an even last digit, what float32 does not hold could be a tie now.
  const double rest = std::fabs(value) - std::fabs(static_cast<double>(nearest));
  if (rest != 0 && (bits & 1U) == 0) bits = rest > 0 ? bits + 1 : bits - 1;
  const std::uint32_t rounding = 0x7FFFU + ((bits >> 16U) & 1U);
  return {static_cast<std::uint16_t>((bits + rounding) >> 16U)};
}

}  // namespace backplane::onnx
