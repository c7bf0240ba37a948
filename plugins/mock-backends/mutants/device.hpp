#pragma once

/// What all objects of the library share, for mistakes: a correct backend has no such thing.

#include <backplane/api/layer_type.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>

namespace mutants {

struct Device {
  std::atomic<bool> is_closed{false};          // somebody closed it for all
  std::atomic<std::uint64_t> num_backends{0};  // objects of IBackendInternal ever made
  std::atomic<int> num_contexts{0};            // alive
  std::atomic<int> num_loading{0};             // workloads that are being made
  std::atomic<int> num_networks{0};            // of all contexts
  std::atomic<bool> has_run{false};
  std::atomic<std::uint32_t> num_asked{0};  // questions about Activation
  std::atomic<backplane::LayerType> last_type{backplane::LayerType::kUndefined};  // asked about
  std::atomic<bool> has_told_id{false};
  const pid_t process = getpid();      // that opened the library
  std::atomic<void*> leaked{nullptr};  // what was leaked last
};

inline Device& GetDevice() {
  static Device device;
  return device;
}

/// Opens a file that nobody closes.
inline void LeaveDescriptor() {
  static_cast<void>(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace mutants
