#include "threads/float_control.hpp"

#include <cfenv>
#include <cstddef>

namespace backplane::threads {
namespace {

// SSE computes everything but long double.
constexpr std::uint32_t kSseFlags = 0x3f;
constexpr std::uint32_t kOperandsAreZero = 1U << 6U;
constexpr std::uint32_t kSseMaskShift = 7;
constexpr std::uint32_t kSseRoundingShift = 13;
constexpr std::uint32_t kResultsAreZero = 1U << 15U;
// x87 computes long double.
constexpr std::uint32_t kX87Masks = 0x3f;
constexpr std::uint32_t kX87PrecisionShift = 8;
constexpr std::uint32_t kX87RoundingShift = 10;
constexpr std::uint32_t kX87Used = 0xf3f;

const char* GetRoundingName(std::uint64_t bits) {
  constexpr const char* kNames[] = {"to nearest", "downward", "upward", "toward zero"};
  return kNames[bits & 3U];
}

std::uint64_t GetTraps(const FloatControl& control) {
  const std::uint64_t masks = (control.words[0] >> kSseMaskShift) & control.words[1];
  return ~masks & kX87Masks;
}

}  // namespace

FloatControl ReadFloatControl() noexcept {
  std::uint16_t x87 = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  return {{__builtin_ia32_stmxcsr() & ~kSseFlags, x87 & kX87Used}};
}

void WriteFloatControl(const FloatControl& control) noexcept {
  std::uint16_t x87 = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  x87 = static_cast<std::uint16_t>((x87 & ~kX87Used) | control.words[1]);
  // A trap that is set again would spring for what has happened without it.
  if ((control.words[1] & kX87Masks) != kX87Masks) asm volatile("fnclex");
  asm volatile("fldcw %0" : : "m"(x87));
  const std::uint32_t flags = __builtin_ia32_stmxcsr() & kSseFlags;
  __builtin_ia32_ldmxcsr(static_cast<std::uint32_t>(control.words[0]) | flags);
}

std::string DescribeRounding(const FloatControl& control) {
  const std::string sse = GetRoundingName(control.words[0] >> kSseRoundingShift);
  const std::string x87 = GetRoundingName(control.words[1] >> kX87RoundingShift);
  return sse == x87 ? sse : sse + ", of long double " + x87;
}

std::string DescribeDenormals(const FloatControl& control) {
  const bool are_results_zero = (control.words[0] & kResultsAreZero) != 0;
  const bool are_operands_zero = (control.words[0] & kOperandsAreZero) != 0;
  if (are_results_zero && are_operands_zero) return "flushed to zero";
  if (are_results_zero) return "flushed to zero as results";
  return are_operands_zero ? "taken for zero as operands" : "kept";
}

std::string DescribeTraps(const FloatControl& control) {
  constexpr const char* kNames[] = {"invalid operation", "denormal operand", "division by zero",
                                    "overflow",          "underflow",        "inexact result"};
  const std::uint64_t traps = GetTraps(control);
  std::string list;
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if ((traps >> i & 1U) != 0) list += (list.empty() ? "" : ", ") + std::string(kNames[i]);
  }
  return list.empty() ? "none" : list;
}

std::string DescribePrecision(const FloatControl& control) {
  constexpr const char* kNames[] = {"single", "reserved", "double", "extended"};
  return kNames[control.words[1] >> kX87PrecisionShift & 3U];
}

}  // namespace backplane::threads
