#include <backplane/host/diagnostic.hpp>

#include <gtest/gtest.h>

namespace backplane {
namespace {

const std::vector<std::string> kIds = {"CpuRef", "CpuAcc", "EthosU"};

TEST(FindNearestName, FindsASlip) {
  EXPECT_EQ(FindNearestName("CpuReff", kIds), "CpuRef");
  EXPECT_EQ(FindNearestName("CupRef", kIds), "CpuRef");
  EXPECT_EQ(FindNearestName("EthosV", kIds), "EthosU");
}

TEST(FindNearestName, TakesOtherCaseAsNear) {
  EXPECT_EQ(FindNearestName("cpuref", kIds), "CpuRef");
  EXPECT_EQ(FindNearestName("CPUACC", kIds), "CpuAcc");
}

TEST(FindNearestName, GivesNothingForAnotherName) {
  EXPECT_EQ(FindNearestName("GpuFoo", {"CpuRef"}), "");
  EXPECT_EQ(FindNearestName("Npu", kIds), "");
  EXPECT_EQ(FindNearestName("CpuRef", {}), "");
}

}  // namespace
}  // namespace backplane
