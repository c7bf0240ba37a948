#pragma once

/// What the complete mock keeps for a runtime, for a network, and for profiling.

#include "watched.hpp"

namespace complete_mock {

constexpr std::uint32_t kCounterId = 3;

/// The one network that is not accepted, so that a refusal can be seen.
constexpr backplane::NetworkId kRefusedNetwork = 1'000'003;

class Context final : public Watched<backplane::IBackendContext> {
 public:
  /// What it does in one kind of event is called by the name of that kind.
  backplane::Status OnNetworkEvent(const backplane::NetworkEvent& event) override {
    Pass("IBackendContext::OnNetworkEvent");
    switch (event.kind) {
      case backplane::NetworkEventKind::kBeforeLoad:
        Pass("BeforeLoad");
        return event.network_id != kRefusedNetwork ? backplane::Status::kSuccess
                                                   : backplane::Status::kBusy;
      case backplane::NetworkEventKind::kAfterLoad:
        Pass("AfterLoad");
        break;
      case backplane::NetworkEventKind::kBeforeUnload:
        Pass("BeforeUnload");
        break;
      case backplane::NetworkEventKind::kAfterUnload:
        Pass("AfterUnload");
        break;
    }
    return event.outcome;
  }
};

class ModelContext final : public Watched<backplane::IBackendModelContext> {};

class ProfilingContext final : public Watched<backplane::IBackendProfilingContext> {
 public:
  explicit ProfilingContext(backplane::IBackendProfiling& profiling) : profiling_(profiling) {}

  std::vector<backplane::CounterDescription> GetCounters() const override {
    Pass("IBackendProfilingContext::GetCounters");
    backplane::CounterDescription counter;
    counter.id = kCounterId;
    counter.name = "runs";
    counter.unit = "count";
    counter.text = "Workloads run.";
    return {counter};
  }
  backplane::Status ActivateCounters(std::uint64_t /*period_us*/, const std::uint32_t* ids,
                                     std::uint32_t count) override {
    Pass("IBackendProfilingContext::ActivateCounters");
    for (std::uint32_t i = 0; i < count; ++i) {
      if (ids[i] != kCounterId) return backplane::Status::kNotFound;
    }
    return backplane::Status::kSuccess;
  }
  backplane::Status SetTimeline(backplane::ProfilingState state) override {
    Pass("IBackendProfilingContext::SetTimeline");
    if (state == backplane::ProfilingState::kOff) return backplane::Status::kSuccess;
    return profiling_.ReportTimelineEvent({"timeline on", "mock", 0, 0, {}});
  }

 private:
  backplane::IBackendProfiling& profiling_;
};

}  // namespace complete_mock
