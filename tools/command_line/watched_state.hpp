#pragma once

#include <atomic>
#include <climits>
#include <cstddef>
#include <string>

namespace backplane::command_line {

/// See watched_process.hpp. A backend may overwrite it; readers take nothing in it for granted.
struct WatchedState {
  static constexpr std::size_t kMaxStepBytes = 512;

  std::atomic<int> has_result;  // the command has said what it had to say
  std::atomic<int> exit_code;   // then
  std::atomic<int> is_mute;     // nothing can be written any more
  char step[kMaxStepBytes];     // "while ..."
  char file[PATH_MAX];          // of the backend whose code runs; "" when that is not known

  void SetStep(const std::string& text);
  std::string GetStep() const;
  void SetFile(const std::string& path);
  std::string GetFile() const;
};

static_assert(std::atomic<int>::is_always_lock_free);

/// Null: there is no memory for it.
WatchedState* MapWatchedState();

}  // namespace backplane::command_line
