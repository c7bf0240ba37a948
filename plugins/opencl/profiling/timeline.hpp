#pragma once

/// Whether device times are wanted, and who wants them.

#include <backplane/api/i_backend_profiling_context.hpp>

#include <atomic>

namespace backplane {
namespace opencl {

/// Of one runtime; shared by its context and by what runs.
///
/// Threads: any.
class Timeline {
 public:
  /// Null: it is off.
  void Set(IBackendProfiling* profiling) { profiling_.store(profiling, std::memory_order_release); }
  IBackendProfiling* Get() const { return profiling_.load(std::memory_order_acquire); }

 private:
  std::atomic<IBackendProfiling*> profiling_{nullptr};
};

}  // namespace opencl
}  // namespace backplane
