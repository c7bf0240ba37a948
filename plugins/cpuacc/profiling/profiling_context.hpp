#pragma once

#include "profiling/timeline.hpp"

#include <backplane/api/i_backend_profiling_context.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Turns the timeline of a runtime on and off. There are no counters.
class ProfilingContext : public IBackendProfilingContext {
 public:
  ProfilingContext(IBackendProfiling* profiling, std::shared_ptr<Timeline> timeline);
  ~ProfilingContext() noexcept override;

  std::vector<CounterDescription> GetCounters() const override { return {}; }
  Status ActivateCounters(std::uint64_t period_us, const std::uint32_t* ids,
                          std::uint32_t count) override;
  Status SetTimeline(ProfilingState state) override;

 private:
  IBackendProfiling* profiling_;
  std::shared_ptr<Timeline> timeline_;
};

}  // namespace cpuacc
}  // namespace backplane
