#include "spawn/ends.hpp"

#include "spawn/output_tail.hpp"
#include "spawn/status_file.hpp"

#include <poll.h>
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

/// Whether a child has ended or was stopped; nothing: neither.
std::optional<Watched> FindEnd(pid_t child) {
  siginfo_t info{};
  constexpr int kAnyEnd = WEXITED | WSTOPPED | WNOHANG | WNOWAIT;
  if (waitid(P_PID, static_cast<id_t>(child), &info, kAnyEnd) != 0) return std::nullopt;
  if (info.si_pid != child) return std::nullopt;
  if (info.si_code == CLD_STOPPED) return Watched{WatchEnd::kStopped, info.si_status};
  return Watched{WatchEnd::kEnded};
}

/// Waits for an event, at most so long, and empties the outputs. False: it cannot wait.
bool WaitForEvent(const ChildWatch& watch, std::chrono::milliseconds most) {
  std::vector<pollfd> events{{watch.descriptor, POLLIN, 0}};
  for (const OutputTail* const output : watch.outputs) {
    events.push_back({output->GetDescriptor(), POLLIN, 0});
  }
  const auto wait_ms = static_cast<int>(std::min(most, watch.step).count());
  if (poll(events.data(), events.size(), wait_ms) < 0 && errno != EINTR) return false;
  for (OutputTail* const output : watch.outputs) output->Drain();
  return true;
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

Watched WatchChild(const ChildWatch& watch) {
  using Clock = std::chrono::steady_clock;
  std::uint64_t num_signs = watch.count_signs();
  Clock::time_point deadline = Clock::now() + watch.timeout;
  for (;;) {
    if (const auto end = FindEnd(watch.process)) return *end;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const std::uint64_t signs = watch.count_signs();
    if (signs != num_signs) {
      num_signs = signs;
      deadline = Clock::now() + watch.timeout;
    } else if (left.count() <= 0 || !WaitForEvent(watch, left)) {
      return {WatchEnd::kSilent};
    }
    if (watch.is_to_stop()) return {WatchEnd::kToldToStop};
  }
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
