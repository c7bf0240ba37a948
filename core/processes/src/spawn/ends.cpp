#include "spawn/ends.hpp"

#include "spawn/status_file.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

namespace backplane::spawn {
namespace {

// A process that waits for a device cannot be ended before the device answers.
constexpr int kMaxRounds = 200;
constexpr std::chrono::milliseconds kPause{5};

/// The parent of a process, or 0.
pid_t ReadParent(pid_t process) {
  constexpr std::size_t kParent = 2;  // behind the letter of the state
  const std::string stat = ReadStatBehindName(process);
  return stat.size() < kParent ? 0 : static_cast<pid_t>(std::atoi(stat.c_str() + kParent));
}

/// The children of this process, found also where the kernel does not list them.
std::vector<pid_t> FindOwnChildren() {
  std::vector<pid_t> children;
  std::error_code error;
  std::filesystem::directory_iterator next("/proc", error);
  for (; !error && next != std::filesystem::directory_iterator(); next.increment(error)) {
    const pid_t process = std::atoi(next->path().filename().c_str());  // 0: not that of a process
    if (process > 0 && ReadParent(process) == getpid()) children.push_back(process);
  }
  return children;
}

/// Reaps the children that have ended. False: no process is left below this one.
bool Reap(std::uint32_t& num_ended) {
  pid_t ended = 0;
  while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) ++num_ended;
  return ended == 0 || errno != ECHILD;
}

}  // namespace

void EndWithParent(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(1);
}

int WaitForChild(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::uint32_t EndDescendants(pid_t leader) {
  std::uint32_t num_ended = 0;
  kill(-leader, SIGKILL);
  for (int round = 0; round < kMaxRounds && Reap(num_ended); ++round) {
    for (const pid_t child : FindOwnChildren()) kill(child, SIGKILL);
    std::this_thread::sleep_for(kPause);
  }
  return num_ended;
}

int BoundResource(int resource, std::uint64_t most) {
  const auto which = static_cast<__rlimit_resource_t>(resource);
  rlimit limit{};
  if (getrlimit(which, &limit) != 0) return errno;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, most);
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, most);
  return setrlimit(which, &limit) == 0 ? 0 : errno;
}

void BoundChild(std::uint64_t max_data_bytes) {
  BoundResource(RLIMIT_CORE, 0);
  if (max_data_bytes != 0) BoundResource(RLIMIT_DATA, max_data_bytes);
}

std::string GetSignalName(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::string GetSignalText(int signal) {
  const char* const text = sigdescr_np(signal);
  return GetSignalName(signal) + (text != nullptr ? std::string(" (") + text + ')' : "");
}

std::string DescribeStatus(std::optional<int> status) {
  if (!status) return "";
  if (WIFSIGNALED(*status)) return "was ended by " + GetSignalText(WTERMSIG(*status));
  return "ended with exit code " + std::to_string(WEXITSTATUS(*status));
}

}  // namespace backplane::spawn
