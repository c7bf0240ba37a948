#include "profiling/profiling_context.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {

ProfilingContext::ProfilingContext(IBackendProfiling* profiling, std::shared_ptr<Timeline> timeline)
    : profiling_(profiling), timeline_(std::move(timeline)) {}

ProfilingContext::~ProfilingContext() noexcept {
  timeline_->Set(nullptr);
}

Status ProfilingContext::ActivateCounters(std::uint64_t /*period_us*/, const std::uint32_t* /*ids*/,
                                          std::uint32_t count) {
  return count == 0 ? Status::kSuccess : Status::kNotFound;
}

Status ProfilingContext::SetTimeline(ProfilingState state) {
  timeline_->Set(state == ProfilingState::kOn ? profiling_ : nullptr);
  return Status::kSuccess;
}

}  // namespace cpuacc
}  // namespace backplane
