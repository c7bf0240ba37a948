#pragma once

/// What belongs to the process and not to a driver.

#include <array>
#include <csignal>
#include <mutex>
#include <vector>

namespace backplane {
namespace opencl {

/// Remembers what signals do, and the environment variables that drivers are known to set, and puts
/// them back. Drivers with a compiler in them install handlers that print stacks and remove files.
/// There is one at a time in the process: another would remember what the driver did meanwhile.
class ProcessState {
 public:
  ProcessState();
  ~ProcessState();
  ProcessState(const ProcessState&) = delete;
  ProcessState& operator=(const ProcessState&) = delete;

 private:
  static constexpr int kNumSignals = 32;  // those before the real-time ones

  const std::lock_guard<std::mutex> lock_;
  std::array<struct sigaction, kNumSignals> actions_ = {};
  std::vector<const char*> unset_variables_;
};

}  // namespace opencl
}  // namespace backplane
