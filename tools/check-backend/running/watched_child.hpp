#pragma once

#include "harness/shared_record.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace backplane::check_backend {

enum class ChildOutcome {
  kFinished,  // the work returned
  kDied,      // the process ended before
  kHung,      // no sign of life for too long; it was killed
};

struct ChildEnd {
  ChildOutcome outcome = ChildOutcome::kFinished;
  std::string how;     // "was ended by SIGSEGV", ...; "" when it finished
  std::string output;  // the last lines that it wrote to standard output and error
};

struct ChildLimits {
  std::chrono::milliseconds timeout{20'000};
  std::uint64_t max_data_bytes = 0;
};

/// Runs `work` in a process of its own, in whose parent nothing of value is: a third one, here,
/// watches both. Whatever it starts ends with it. `while_running` is called some times in a second.
/// Errors: std::system_error when no process can be made.
ChildEnd RunChild(const std::function<void()>& work, const ChildLimits& limits,
                  SharedRecord& record, const std::function<void()>& while_running);

}  // namespace backplane::check_backend
