#include "command_line/watched_state.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace backplane::command_line {

namespace {

template <std::size_t kBytes>
void Write(const std::string& text, char (&target)[kBytes]) {
  const std::size_t bytes = std::min(text.size(), kBytes - 1);
  std::memcpy(target, text.data(), bytes);
  target[bytes] = '\0';
}

}  // namespace

void WatchedState::SetStep(const std::string& text) {
  Write(text, step);
}

std::string WatchedState::GetStep() const {
  return {step, strnlen(step, sizeof(step))};
}

void WatchedState::SetFile(const std::string& path) {
  Write(path, file);
}

std::string WatchedState::GetFile() const {
  return {file, strnlen(file, sizeof(file))};
}

WatchedState* MapWatchedState() {
  void* memory = mmap(nullptr, sizeof(WatchedState), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) WatchedState{};
}

}  // namespace backplane::command_line
