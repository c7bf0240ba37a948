#pragma once

/// How processes end, and words for it.

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace backplane::spawn {

class OutputTail;

/// Ends this process with `signal` when `parent` ends, or at once where it has ended already.
void EndWithParent(pid_t parent, int signal = SIGKILL);

/// Waits for the end of a child. Gives what waitpid gives.
int WaitForChild(pid_t child);

struct ChildWatch {
  pid_t process = -1;
  std::vector<OutputTail*> outputs;     // emptied as they fill
  std::chrono::milliseconds timeout{};  // without a sign of life
  std::function<std::uint64_t()> count_signs;
  /// Called after each event, and after `step` without one. True: the watch is over.
  std::function<bool()> is_to_stop;
  int descriptor = -1;  // to read there is an event; -1: none
  std::chrono::milliseconds step = std::chrono::hours(1);
};

enum class WatchEnd { kEnded, kStopped, kSilent, kToldToStop };
struct Watched {
  WatchEnd end = WatchEnd::kEnded;
  int stop_signal = 0;  // of kStopped
};

/// Watches a child until it ends, is stopped, which nobody would ever continue, gives no sign of
/// life for too long, or the watch is told to stop. What is left to do with the child is the
/// caller's: it is not yet waited for.
Watched WatchChild(const ChildWatch& watch);

/// Ends every process below this one, also those that left the process group of `leader`; this
/// process must be their reaper (PR_SET_CHILD_SUBREAPER). Returns how many there were.
std::uint32_t EndDescendants(pid_t leader);

/// Bounds a resource (RLIMIT_...) of this process, so that it cannot have more of it again; what is
/// bounded lower stays so. Returns errno, or 0.
int BoundResource(int resource, std::uint64_t most);

/// Bounds this process, for ever: no core files, and so much data; 0: any.
void BoundChild(std::uint64_t max_data_bytes);

/// "SIGPIPE", or "signal 64".
std::string GetSignalName(int signal);

/// "SIGSEGV (Segmentation fault)".
std::string GetSignalText(int signal);

/// Gives words for what waitpid gave: "ended with exit code 3", "was ended by SIGKILL (Killed)"; ""
/// for nothing.
std::string DescribeStatus(std::optional<int> status);

}  // namespace backplane::spawn
