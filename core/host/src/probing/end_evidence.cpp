#include "probing/end_evidence.hpp"

#include "spawn/descendants.hpp"
#include "spawn/status_file.hpp"
#include "system_limits/control_group.hpp"

#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace backplane::probing {
namespace {

/// -1: it is not known.
int ReadSeccompMode(const std::string& process) {
  const std::string mode = spawn::ReadStatusLine(process, "Seccomp");
  return mode.empty() ? -1 : std::atoi(mode.c_str());
}

/// The kernel marks a process that was forked until it runs another program.
bool HasCalledExec(pid_t process) {
  constexpr unsigned long kForkedOnly = 0x40;
  constexpr int kFlagsBehindName = 6;
  std::istringstream stat(spawn::ReadStatBehindName(process));
  std::string word;
  for (int i = 0; i < kFlagsBehindName; ++i) stat >> word;
  unsigned long flags = kForkedOnly;
  stat >> flags;
  return stat && (flags & kForkedOnly) == 0;
}

}  // namespace

std::int64_t CountOomKills() {
  constexpr std::string_view kName = "oom_kill ";
  std::ifstream file(system_limits::FindGroupFile("memory", "memory.oom_control", "memory.events"));
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(kName, 0) == 0) return std::atoll(line.c_str() + kName.size());
  }
  return -1;
}

EndEvidence CollectEndEvidence(pid_t process, std::int64_t oom_kills) {
  EndEvidence evidence;
  evidence.seccomp_mode = ReadSeccompMode(std::to_string(process));
  evidence.watcher_seccomp_mode = ReadSeccompMode("self");
  evidence.has_called_exec = HasCalledExec(process);
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

}  // namespace backplane::probing
