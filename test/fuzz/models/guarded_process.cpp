#include "guarded_process.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace backplane::fuzz {
namespace {

struct Progress {
  std::atomic<std::size_t> item{0};  // that is being worked on
  std::atomic<std::size_t> num_true{0};
};

/// Memory that both processes see.
class SharedProgress {
 public:
  SharedProgress() {
    void* memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("mmap failed");
    progress_ = new (memory) Progress;
  }
  ~SharedProgress() { munmap(progress_, sizeof(Progress)); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;

  Progress& Get() { return *progress_; }

 private:
  Progress* progress_;
};

void Limit(int resource, std::uint64_t value) {
  const rlimit limit{value, value};
  if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) _exit(99);
}

std::uint64_t MeasureAddressSpace() {
  std::uint64_t num_pages = 0;
  std::ifstream("/proc/self/statm") >> num_pages;
  return num_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

[[noreturn]] void WorkAndExit(std::size_t num_items, const Limits& limits,
                              const std::function<bool(std::size_t)>& work, Progress& progress) {
  Limit(RLIMIT_CORE, 0);
  if (limits.more_bytes > 0) Limit(RLIMIT_AS, MeasureAddressSpace() + limits.more_bytes);
  try {
    for (; progress.item < num_items; ++progress.item) {
      alarm(limits.seconds_per_item);
      if (work(progress.item)) ++progress.num_true;
    }
  } catch (const std::exception& exception) {
    std::cerr << "item " << progress.item << ": " << exception.what() << std::endl;
    _exit(1);
  }
  _exit(0);
}

std::string Describe(int status) {
  if (!WIFSIGNALED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
}

}  // namespace

GuardedRun RunGuarded(std::size_t num_items, const Limits& limits,
                      const std::function<bool(std::size_t)>& work) {
  SharedProgress shared;
  Progress& progress = shared.Get();
  GuardedRun run;
  while (progress.item < num_items) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) WorkAndExit(num_items, limits, work, progress);
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) break;
    run.deaths.push_back({progress.item++, Describe(status)});
  }
  run.num_true = progress.num_true;
  return run;
}

}  // namespace backplane::fuzz
