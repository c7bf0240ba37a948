#pragma once

#include "profiling/timeline.hpp"

#include <backplane/api/i_backend_profiling_context.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl {

/// Turns the timeline of a runtime on and off. There are no counters.
class ProfilingContext : public IBackendProfilingContext {
 public:
  ProfilingContext(IBackendProfiling* profiling, std::shared_ptr<Timeline> timeline)
      : profiling_(profiling), timeline_(std::move(timeline)) {}
  ~ProfilingContext() noexcept override { timeline_->Set(nullptr); }

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

}  // namespace opencl
}  // namespace backplane
