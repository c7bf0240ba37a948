#include "conflicts/static_tls.hpp"

#include <gtest/gtest.h>

namespace backplane::conflicts {
namespace {

TEST(StaticTlsReserve, IsTakenInWholeAlignments) {
  StaticTlsReserve reserve(1712);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(reserve.Take({400, 32}));
  EXPECT_FALSE(reserve.Take({400, 32}));
  EXPECT_TRUE(reserve.Take({64, 8}));
}

TEST(StaticTlsReserve, OfThisProcessIsAboutWhatTheLibrarySetsAside) {
  const std::uint64_t here = StaticTlsReserve::OfThisProcess().GetFreeBytes();
  const std::uint64_t fresh = StaticTlsReserve::OfNewProcess().GetFreeBytes();
  EXPECT_GT(fresh, 1000U);
  EXPECT_LT(here, fresh + 4096);
}

}  // namespace
}  // namespace backplane::conflicts
