#include "simd/simd.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace backplane {
namespace cpuacc {
namespace {

bool IsAllowed(InstructionSet set) {
  return FindSimdFunctions(set) != nullptr;
}

/// Calls `is_kept` in a process of its own, as oneDNN reads its limit once.
void ExpectWithin(const char* limit, bool (*is_kept)()) {
  const auto check = [&] {
    setenv("ONEDNN_MAX_CPU_ISA", limit, 1);
    std::exit(is_kept() ? 0 : 1);
  };
  EXPECT_EXIT(check(), testing::ExitedWithCode(0), "") << limit;
}

TEST(SimdFunctions, StayWithinTheLimitOfOneDnn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ExpectWithin("SSE41", [] {
    return !IsAllowed(InstructionSet::kAvx2) && !IsAllowed(InstructionSet::kAvx512) &&
           !HasAvx512Vbmi();
  });
  ExpectWithin("AVX2", [] { return !IsAllowed(InstructionSet::kAvx512) && !HasAvx512Vbmi(); });
  ExpectWithin("AVX512_CORE", [] { return !HasAvx512Vbmi(); });
}

TEST(SimdFunctions, AreThoseOfTheGreatestSetThatIsAllowed) {
  for (const auto set :
       {InstructionSet::kAvx512, InstructionSet::kAvx2, InstructionSet::kBaseline}) {
    if (!IsAllowed(set)) continue;
    EXPECT_EQ(&GetSimdFunctions(), FindSimdFunctions(set));
    return;
  }
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
