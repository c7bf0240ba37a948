#include "command_line/watched_state.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace backplane::command_line {

void WatchedState::SetStep(const std::string& text) {
  const std::size_t bytes = std::min(text.size(), kMaxStepBytes - 1);
  std::memcpy(step, text.data(), bytes);
  step[bytes] = '\0';
}

std::string WatchedState::GetStep() const {
  return {step, strnlen(step, kMaxStepBytes)};
}

WatchedState* MapWatchedState() {
  void* memory = mmap(nullptr, sizeof(WatchedState), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) WatchedState{};
}

}  // namespace backplane::command_line
