#include "tensors/float_formats.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace backplane::execute_network {
namespace {

/// A binary floating-point format of 16 bits.
struct Format {
  int precision;       // bits of the significand, with the one that is not stored
  int least_exponent;  // of normal values
  int most_exponent;
  unsigned fraction_bits;
};

std::uint16_t Round(double value, const Format& format) {
  const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
  const unsigned infinity = (static_cast<unsigned>(format.most_exponent) * 2 + 1)
                            << format.fraction_bits;
  if (std::isnan(value))
    return static_cast<std::uint16_t>(infinity | 1U << (format.fraction_bits - 1));
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
  int exponent = 0;
  std::frexp(value, &exponent);  // of a significand in [0.5, 1)
  exponent = value == 0 ? format.least_exponent : std::max(exponent - 1, format.least_exponent);
  // In units of the last place; rounding up to the next power of two carries into the exponent.
  const double units = std::nearbyint(std::ldexp(std::abs(value), format.precision - 1 - exponent));
  const unsigned step = static_cast<unsigned>(exponent - format.least_exponent);
  if (exponent > format.most_exponent) return static_cast<std::uint16_t>(sign | infinity);
  const unsigned bits = (step << format.fraction_bits) + static_cast<unsigned>(units);
  return static_cast<std::uint16_t>(sign | std::min(bits, infinity));
}

}  // namespace

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

std::uint16_t ToFloat16(double value) {
  return Round(value, {11, -14, 15, 10});
}

std::uint16_t ToBFloat16(double value) {
  return Round(value, {8, -126, 127, 7});
}

}  // namespace backplane::execute_network
