#include "spawn/processor_slots.hpp"

#include "spawn/status_file.hpp"

#include <ctime>
#include <utility>
#include <vector>

namespace backplane::spawn {
namespace {

constexpr std::size_t kMaxProcesses = 64;  // that are looked at

/// Lists a process and all below it, itself first.
std::vector<pid_t> ListFamily(pid_t process) {
  std::vector<pid_t> family{process};
  for (std::size_t i = 0; i < family.size() && family.size() < kMaxProcesses; ++i) {
    for (const pid_t child : ListChildren(family[i])) family.push_back(child);
  }
  return family;
}

/// The time that all threads of a process used. 0: it is gone, or this kernel does not say.
std::uint64_t GetUsedTime(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

void HeldSlot::Look(pid_t process) {
  if (std::exchange(process_, process) != process) used_ns_.reset();
  const bool is_asleep = UsedNothing(process);
  if (is_asleep == std::exchange(is_asleep_, is_asleep)) return;
  slots_.Change(is_asleep ? 1 : -1);
}

bool HeldSlot::UsedNothing(pid_t first) {
  constexpr std::uint64_t kMaxPercent = 5;
  const std::vector<pid_t> family = ListFamily(first);
  const auto now = std::chrono::steady_clock::now();
  std::uint64_t used_ns = 0;
  bool is_runnable = family.size() == 1;  // which has not started what it is there for
  for (const pid_t process : family) {
    used_ns += GetUsedTime(process);
    // One that waits for a processor uses none and does not sleep.
    is_runnable = is_runnable || ReadStatBehindName(process).rfind('R', 0) == 0;
  }
  const auto before_ns = std::exchange(used_ns_, used_ns);
  const auto passed =
      std::chrono::duration_cast<std::chrono::nanoseconds>(now - std::exchange(looked_, now));
  if (!before_ns || is_runnable) return false;
  // The time of those that ended meanwhile is lost: then there is less than before.
  const std::uint64_t used_since = used_ns < *before_ns ? 0 : used_ns - *before_ns;
  return used_since * 100 <= static_cast<std::uint64_t>(passed.count()) * kMaxPercent;
}

}  // namespace backplane::spawn
