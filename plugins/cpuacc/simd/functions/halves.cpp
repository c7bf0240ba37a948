#include "simd/half_functions.hpp"

#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kInfinityBits = 0x7f800000U;

/// The exponents of the two formats differ by 112; a multiplication also makes subnormal halves
/// normal.
CPUACC_INLINE float WidenFloat16(std::uint16_t half) {
  constexpr std::uint32_t kInfinity16 = 0x7c00U;
  const std::uint32_t magnitude = half & 0x7fffU;
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t scaled = ToBits(FromBits(magnitude << 13U) * 0x1p112F);
  return FromBits(scaled | sign | (magnitude >= kInfinity16 ? kInfinityBits : 0U));
}

CPUACC_INLINE std::uint16_t NarrowFloat16(float x) {
  constexpr std::uint32_t kSmallestNormal = 0x38800000U;  // 2^-14
  constexpr std::uint32_t kBeyondLargest = 0x477ff000U;   // 65520, halfway to 2^16
  const std::uint32_t bits = ToBits(x);
  const std::uint32_t magnitude = bits & ~kSign;
  const std::uint32_t not_a_number = 0x7e00U | ((magnitude >> 13U) & 0x3ffU);
  const std::uint32_t normal =
      (magnitude + 0xfffU + ((magnitude >> 13U) & 1U) - 0x38000000U) >> 13U;
  // The last bit of a number between 0.5 and 1 weighs 2^-24, as that of a subnormal half does.
  const std::uint32_t subnormal = ToBits(FromBits(magnitude) + 0.5F) - 0x3f000000U;
  std::uint32_t half = magnitude >= kSmallestNormal ? normal : subnormal;
  half = magnitude >= kBeyondLargest ? 0x7c00U : half;
  half = magnitude > kInfinityBits ? not_a_number : half;
  return static_cast<std::uint16_t>(half | ((bits & kSign) >> 16U));
}

CPUACC_INLINE float WidenBFloat16(std::uint16_t half) {
  return FromBits(static_cast<std::uint32_t>(half) << 16U);
}

CPUACC_INLINE std::uint16_t NarrowBFloat16(float x) {
  const std::uint32_t bits = ToBits(x);
  const std::uint32_t not_a_number = (bits >> 16U) | 0x40U;
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
  return static_cast<std::uint16_t>((bits & ~kSign) > kInfinityBits ? not_a_number : rounded);
}

template <typename From, typename To, To (*kConvert)(From)>
void ConvertAll(const void* x, void* y, std::int64_t count) {
  const auto* from = static_cast<const From*>(x);
  auto* to = static_cast<To*>(y);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) to[i] = kConvert(from[i]);
}

void FillHalves(HalfFunctions& functions) {
  functions.widen_float16 = &ConvertAll<std::uint16_t, float, WidenFloat16>;
  functions.widen_bfloat16 = &ConvertAll<std::uint16_t, float, WidenBFloat16>;
  functions.narrow_float16 = &ConvertAll<float, std::uint16_t, NarrowFloat16>;
  functions.narrow_bfloat16 = &ConvertAll<float, std::uint16_t, NarrowBFloat16>;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
