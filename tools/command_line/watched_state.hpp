#pragma once

#include "spawn/shared_text.hpp"

#include <atomic>
#include <climits>

namespace backplane::command_line {

/// See watched_process.hpp. A backend may overwrite it; readers take nothing in it for granted.
struct WatchedState {
  std::atomic<int> has_result;       // the command has said what it had to say
  std::atomic<int> exit_code;        // then
  std::atomic<int> is_mute;          // nothing can be written any more
  spawn::SharedText<512> step;       // "while ..."
  spawn::SharedText<PATH_MAX> file;  // of the backend whose code runs; "" when that is not known
};

}  // namespace backplane::command_line
