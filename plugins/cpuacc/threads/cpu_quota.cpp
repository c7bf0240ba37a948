#include "threads/cpu_quota.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace backplane {
namespace cpuacc {
namespace {

constexpr char kMount[] = "/sys/fs/cgroup";

/// "max 100000" and "-1" say that there is no limit.
std::optional<double> ReadQuota(const std::string& quota_and_period) {
  std::istringstream stream(quota_and_period);
  std::int64_t quota = 0;
  std::int64_t period = 0;
  if (!(stream >> quota >> period) || quota <= 0 || period <= 0) return {};
  return static_cast<double>(quota) / static_cast<double>(period);
}

/// One line of /proc/self/cgroup: the number of the hierarchy, its controllers, the group.
struct Membership {
  explicit Membership(const std::string& line) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) return;
    controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    group = line.substr(second + 1);
  }

  bool IsUnified() const { return controllers == ",,"; }
  bool LimitsCpu() const { return controllers.find(",cpu,") != std::string::npos; }

  std::string controllers;
  std::string group;
};

std::string ReadGroup(const FileReader& read, const Membership& membership,
                      const std::string& group) {
  if (membership.IsUnified()) return read(kMount + group + "/cpu.max");
  const std::string folder = std::string(kMount) + "/cpu" + group;
  return read(folder + "/cpu.cfs_quota_us") + " " + read(folder + "/cpu.cfs_period_us");
}

}  // namespace

std::optional<double> FindCpuQuota(const FileReader& read) {
  std::optional<double> least;
  std::istringstream lines(read("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const Membership membership(line);
    if (!membership.IsUnified() && !membership.LimitsCpu()) continue;
    // Groups hold what the groups above them hold, too. The path may be that of the host; then
    // the mount itself is the group of the container.
    std::string group = membership.group;
    while (true) {
      if (!group.empty() && group.back() == '/') group.pop_back();
      const std::optional<double> quota = ReadQuota(ReadGroup(read, membership, group));
      if (quota) least = std::min(least.value_or(*quota), *quota);
      const std::size_t slash = group.rfind('/');
      if (slash == std::string::npos) break;
      group.erase(slash);
    }
  }
  return least;
}

}  // namespace cpuacc
}  // namespace backplane
