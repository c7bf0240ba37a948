#include "threads/cpu_quota.hpp"

#include <gtest/gtest.h>

#include <map>

namespace backplane {
namespace cpuacc {
namespace {

using Files = std::map<std::string, std::string>;

std::optional<double> FindQuotaIn(const Files& files) {
  return FindCpuQuota([&files](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::string() : found->second;
  });
}

TEST(CpuQuota, IsNothingWhereThereIsNoLimit) {
  EXPECT_EQ(FindQuotaIn({}), std::nullopt);
  EXPECT_EQ(FindQuotaIn({{"/proc/self/cgroup", "0::/\n"}}), std::nullopt);
  EXPECT_EQ(
      FindQuotaIn({{"/proc/self/cgroup", "0::/a\n"}, {"/sys/fs/cgroup/a/cpu.max", "max 100000\n"}}),
      std::nullopt);
  EXPECT_EQ(FindQuotaIn({{"/proc/self/cgroup", "4:cpu,cpuacct:/\n"},
                         {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
                         {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}}),
            std::nullopt);
}

TEST(CpuQuota, IsThatOfTheContainer) {
  EXPECT_EQ(
      FindQuotaIn({{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "150000 100000\n"}}),
      1.5);
  EXPECT_EQ(FindQuotaIn({{"/proc/self/cgroup", "5:memory:/\n4:cpuacct,cpu:/\n"},
                         {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n"},
                         {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}}),
            4.0);
}

TEST(CpuQuota, IsFoundWhereTheGroupHasItsPathOutsideOfTheContainer) {
  EXPECT_EQ(FindQuotaIn({{"/proc/self/cgroup", "4:cpu:/docker/1a2b\n"},
                         {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n"},
                         {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}}),
            2.0);
}

TEST(CpuQuota, IsTheLeastOfAllGroupsAbove) {
  EXPECT_EQ(FindQuotaIn({{"/proc/self/cgroup", "0::/system.slice/server.service\n"},
                         {"/sys/fs/cgroup/system.slice/cpu.max", "300000 100000\n"},
                         {"/sys/fs/cgroup/system.slice/server.service/cpu.max", "800000 100000\n"},
                         {"/sys/fs/cgroup/cpu.max", "max 100000\n"}}),
            3.0);
}

TEST(CpuQuota, IsNotReadFromWhatIsNoNumber) {
  for (const char* content : {"", "\n", "100000", "0 0", "100000 0", "-5 100000", "many 100000"}) {
    EXPECT_EQ(
        FindQuotaIn({{"/proc/self/cgroup", "x\n::\n0::/\n"}, {"/sys/fs/cgroup/cpu.max", content}}),
        std::nullopt)
        << content;
  }
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
