#include "guarded_process.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>

namespace backplane::fuzz {
namespace {

/// The number of the item that is being worked on, seen by both processes.
class SharedIndex {
 public:
  SharedIndex() {
    void* memory = mmap(nullptr, sizeof(std::atomic<std::size_t>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("mmap failed");
    index_ = new (memory) std::atomic<std::size_t>(0);
  }
  ~SharedIndex() { munmap(index_, sizeof(*index_)); }
  SharedIndex(const SharedIndex&) = delete;
  SharedIndex& operator=(const SharedIndex&) = delete;

  std::atomic<std::size_t>& Get() { return *index_; }

 private:
  std::atomic<std::size_t>* index_;
};

void Limit(int resource, std::uint64_t value) {
  const rlimit limit{value, value};
  if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) _exit(99);
}

[[noreturn]] void WorkAndExit(std::size_t num_items, const Limits& limits,
                              const std::function<void(std::size_t)>& work,
                              std::atomic<std::size_t>& index) {
  Limit(RLIMIT_CORE, 0);
  if (limits.address_space_bytes > 0) Limit(RLIMIT_AS, limits.address_space_bytes);
  try {
    for (; index < num_items; ++index) {
      alarm(limits.seconds_per_item);
      work(index);
    }
  } catch (const std::exception& exception) {
    std::cerr << "item " << index << ": " << exception.what() << std::endl;
    _exit(1);
  }
  _exit(0);
}

std::string Describe(int status) {
  if (!WIFSIGNALED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
}

}  // namespace

std::vector<Death> RunGuarded(std::size_t num_items, const Limits& limits,
                              const std::function<void(std::size_t)>& work) {
  std::vector<Death> deaths;
  SharedIndex index;
  while (index.Get() < num_items) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) WorkAndExit(num_items, limits, work, index.Get());
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) break;
    deaths.push_back({index.Get()++, Describe(status)});
  }
  return deaths;
}

}  // namespace backplane::fuzz
