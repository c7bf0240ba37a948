#include "thread_places/handler_stack.hpp"

#include <sys/mman.h>

#include <csignal>
#include <cstddef>

namespace backplane::thread_places {
namespace {

// The former handler runs on it too.
constexpr std::size_t kStackBytes = std::size_t{256} << 10U;
constexpr std::size_t kGuardBytes = std::size_t{64} << 10U;  // a multiple of every page size

bool HasStack() {
  stack_t found{};
  return sigaltstack(nullptr, &found) != 0 || (found.ss_flags & SS_DISABLE) == 0;
}

}  // namespace

HandlerStack::HandlerStack() {
  if (HasStack()) return;
  void* memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  mprotect(memory, kGuardBytes, PROT_NONE);
  stack_t stack{};
  stack.ss_sp = static_cast<char*>(memory) + kGuardBytes;
  stack.ss_size = kStackBytes;
  if (sigaltstack(&stack, nullptr) == 0) {
    memory_ = memory;
  } else {
    munmap(memory, kGuardBytes + kStackBytes);
  }
}

// One that another has put there since is left, and so is this one then: it may be put back.
HandlerStack::~HandlerStack() {
  stack_t found{};
  if (memory_ == nullptr || sigaltstack(nullptr, &found) != 0) return;
  if (found.ss_sp != static_cast<char*>(memory_) + kGuardBytes) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  if (sigaltstack(&none, nullptr) == 0) munmap(memory_, kGuardBytes + kStackBytes);
}

}  // namespace backplane::thread_places
