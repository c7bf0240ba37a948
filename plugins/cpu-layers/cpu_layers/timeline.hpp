#pragma once

/// Whether a backend's timeline is wanted.

#include <backplane/api/i_backend_profiling_context.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace cpu_layers {

/// Whether the timeline of a runtime is on, and who listens. Shared by its context and by
/// workloads, which look once for each run.
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

/// Turns the timeline of a runtime on and off. There are no counters.
class TimelineContext final : public IBackendProfilingContext {
 public:
  TimelineContext(IBackendProfiling* profiling, std::shared_ptr<Timeline> timeline)
      : profiling_(profiling), timeline_(std::move(timeline)) {}
  ~TimelineContext() noexcept override { timeline_->Set(nullptr); }

  std::vector<CounterDescription> GetCounters() const override { return {}; }
  Status ActivateCounters(std::uint64_t /*period_us*/, const std::uint32_t* /*ids*/,
                          std::uint32_t count) override {
    return count == 0 ? Status::kSuccess : Status::kNotFound;
  }
  Status SetTimeline(ProfilingState state) override {
    timeline_->Set(state == ProfilingState::kOn ? profiling_ : nullptr);
    return Status::kSuccess;
  }

 private:
  IBackendProfiling* profiling_;
  std::shared_ptr<Timeline> timeline_;
};

}  // namespace cpu_layers
}  // namespace backplane
