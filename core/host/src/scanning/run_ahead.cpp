#include "scanning/run_ahead.hpp"

#include "scanning/helper_threads.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>

namespace backplane::scanning {
namespace {

/// Each is two processes, with the memory that they have taken, and a few open files here, of
/// which most should be left to the application.
std::size_t CountSleeping() {
  constexpr rlim_t kMost = 32;
  constexpr rlim_t kShareOfFiles = 16;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return 1;
  return static_cast<std::size_t>(std::min(kMost, files.rlim_cur / kShareOfFiles));
}

}  // namespace

void RunAhead(const std::vector<Task>& tasks) {
  const std::size_t num_processors = CountProcessors();
  spawn::ProcessorSlots slots(num_processors);
  std::atomic<std::size_t> next_task{0};
  const std::function<void()> work = [&] {
    for (std::size_t task = next_task++; task < tasks.size(); task = next_task++) {
      spawn::HeldSlot slot(slots);
      try {
        tasks[task](slot);
      } catch (const std::exception&) {
        continue;  // whoever needs what was not done does it, and meets the same
      }
    }
  };
  const HelperThreads threads(std::min(std::max(num_processors, CountSleeping()), tasks.size()),
                              work);
  if (threads.IsEmpty()) work();
}

}  // namespace backplane::scanning
