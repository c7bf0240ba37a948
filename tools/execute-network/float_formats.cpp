#include "float_formats.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace backplane::execute_network {

double FromFloat16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1F) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * INFINITY;
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(0x400 + fraction, exponent - 25);
}

double FromBFloat16(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16U;
  float value = 0;
  std::memcpy(&value, &wide, sizeof(value));
  return static_cast<double>(value);
}

std::uint16_t ToFloat16(float value) {
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  constexpr int kLeastExponent = -13;
  if (value <= 0.0F) return 0;
  if (exponent < kLeastExponent) return static_cast<std::uint16_t>(std::ldexp(value, 24));
  const auto mantissa = static_cast<unsigned>(std::ldexp(fraction, 11)) & 0x3FFU;
  return static_cast<std::uint16_t>((static_cast<unsigned>(exponent + 14) << 10U) | mantissa);
}

std::uint16_t ToBFloat16(float value) {
  std::uint32_t wide = 0;
  std::memcpy(&wide, &value, sizeof(wide));
  return static_cast<std::uint16_t>(wide >> 16U);
}

}  // namespace backplane::execute_network
