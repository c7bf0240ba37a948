#include "threads/float_control.hpp"

#include <cfenv>
#include <cfloat>

namespace backplane::threads {
namespace {

bool AreDenormalsFlushed() {
  volatile float smallest = FLT_MIN;
  volatile float half = smallest / 2;
  volatile float doubled = half * 2;
  return half == 0.0F || doubled == 0.0F;
}

constexpr std::uint64_t kFlushed = std::uint64_t{1} << 32U;

}  // namespace

// The first word has the rounding, and whether denormals are flushed; the second has the traps.
FloatControl ReadFloatControl() noexcept {
  const auto rounding = static_cast<std::uint32_t>(fegetround());
  return {{rounding | (AreDenormalsFlushed() ? kFlushed : 0),
           static_cast<std::uint32_t>(fegetexcept())}};
}

// Only the environment that a process begins with is known to keep denormals.
void WriteFloatControl(const FloatControl& control) noexcept {
  if ((control.words[0] & kFlushed) == 0 && AreDenormalsFlushed()) fesetenv(FE_DFL_ENV);
  fesetround(static_cast<int>(static_cast<std::uint32_t>(control.words[0])));
  fedisableexcept(FE_ALL_EXCEPT);
  // A trap that is set again would spring for what has happened without it.
  feclearexcept(static_cast<int>(control.words[1]));
  feenableexcept(static_cast<int>(control.words[1]));
}

std::string DescribeRounding(const FloatControl& control) {
  switch (static_cast<int>(static_cast<std::uint32_t>(control.words[0]))) {
    case FE_TONEAREST:
      return "to nearest";
    case FE_UPWARD:
      return "upward";
    case FE_DOWNWARD:
      return "downward";
    case FE_TOWARDZERO:
      return "toward zero";
    default:
      return "unknown";
  }
}

std::string DescribeDenormals(const FloatControl& control) {
  return (control.words[0] & kFlushed) != 0 ? "flushed to zero" : "kept";
}

std::string DescribeTraps(const FloatControl& control) {
  struct Name {
    int bit;
    const char* text;
  };
  constexpr Name kNames[] = {{FE_INVALID, "invalid operation"},
                             {FE_DIVBYZERO, "division by zero"},
                             {FE_OVERFLOW, "overflow"},
                             {FE_UNDERFLOW, "underflow"},
                             {FE_INEXACT, "inexact result"}};
  std::string list;
  for (const Name& name : kNames) {
    if ((static_cast<int>(control.words[1]) & name.bit) == 0) continue;
    list += (list.empty() ? "" : ", ") + std::string(name.text);
  }
  return list.empty() ? "none" : list;
}

std::string DescribePrecision(const FloatControl& /*control*/) {
  return "";
}

}  // namespace backplane::threads
