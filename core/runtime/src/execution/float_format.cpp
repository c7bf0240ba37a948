#include "execution/float_format.hpp"

#include <cmath>
#include <cstring>

namespace backplane::execution {

namespace {

template <typename Float, typename Bits>
Float FromBits(Bits bits) {
  static_assert(sizeof(Float) == sizeof(Bits));
  Float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

}  // namespace

double ToDouble(Float16Format /*format*/, std::int16_t key) {
  constexpr int kFractionBits = 10;
  constexpr int kExponentMask = 0x1f;
  constexpr int kImplicitOne = 1 << kFractionBits;
  constexpr int kLeastExponent = -24;  // of the last bit of a denormal number
  const auto bits = static_cast<std::uint16_t>(Float16Format::FromKey(key));
  const int exponent = bits >> kFractionBits & kExponentMask;
  const int fraction = bits & (kImplicitOne - 1);
  const double size = exponent == 0
                          ? std::ldexp(fraction, kLeastExponent)
                          : std::ldexp(fraction + kImplicitOne, kLeastExponent + exponent - 1);
  return key < 0 ? -size : size;
}

double ToDouble(BFloat16Format /*format*/, std::int16_t key) {
  const auto bits = static_cast<std::uint16_t>(BFloat16Format::FromKey(key));
  return FromBits<float>(static_cast<std::uint32_t>(bits) << 16U);
}

double ToDouble(Float32Format /*format*/, std::int32_t key) {
  return FromBits<float>(Float32Format::FromKey(key));
}

double ToDouble(Float64Format /*format*/, std::int64_t key) {
  return FromBits<double>(Float64Format::FromKey(key));
}

}  // namespace backplane::execution
