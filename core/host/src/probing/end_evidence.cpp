#include "probing/end_evidence.hpp"

#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace backplane::probing {
namespace {

/// The number behind a word at the beginning of a line; -1: there is none.
std::int64_t ReadNumber(const std::string& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(word, 0) == 0) return std::atoll(line.c_str() + word.size());
  }
  return -1;
}

/// In a container the path of the group is not below the folder that can be seen, which is then the
/// group's own.
std::int64_t CountKillsIn(const std::string& hierarchy, const std::string& group,
                          const std::string& file) {
  const std::int64_t num_kills = ReadNumber(hierarchy + group + '/' + file, "oom_kill ");
  return num_kills >= 0 ? num_kills : ReadNumber(hierarchy + '/' + file, "oom_kill ");
}

int ReadSeccompMode(const std::string& process) {
  return static_cast<int>(ReadNumber("/proc/" + process + "/status", "Seccomp:"));
}

}  // namespace

std::int64_t CountOomKills() {
  constexpr char kOneHierarchy[] = "0::";
  constexpr char kMemory[] = ":memory:";
  std::int64_t num_kills = -1;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; num_kills < 0 && std::getline(groups, line);) {
    const std::size_t memory = line.find(kMemory);
    if (memory != std::string::npos) {
      const std::string group = line.substr(memory + sizeof(kMemory) - 1);
      num_kills = CountKillsIn("/sys/fs/cgroup/memory", group, "memory.oom_control");
    } else if (line.rfind(kOneHierarchy, 0) == 0) {
      const std::string group = line.substr(sizeof(kOneHierarchy) - 1);
      num_kills = CountKillsIn("/sys/fs/cgroup", group, "memory.events");
    }
  }
  return num_kills;
}

EndEvidence CollectEndEvidence(pid_t process, std::int64_t oom_kills) {
  EndEvidence evidence;
  evidence.seccomp_mode = ReadSeccompMode(std::to_string(process));
  evidence.watcher_seccomp_mode = ReadSeccompMode("self");
  rlimit limit{};
  if (prlimit(process, RLIMIT_CPU, nullptr, &limit) == 0 && limit.rlim_max != RLIM_INFINITY) {
    evidence.cpu_limit_s = static_cast<std::int64_t>(limit.rlim_max);
  }
  const std::int64_t oom_kills_now = CountOomKills();
  if (oom_kills >= 0 && oom_kills_now >= oom_kills) {
    evidence.num_oom_kills = oom_kills_now - oom_kills;
  }
  return evidence;
}

void AddUsage(const rusage& usage, EndEvidence& evidence) {
  evidence.used_cpu_s = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1;
}

}  // namespace backplane::probing
