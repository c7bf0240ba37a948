#pragma once

/// What the backend keeps for a runtime and for a network, and its counters.

#include "device.hpp"
#include "mistake.hpp"

#include <backplane/api/backend.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mutants {

constexpr char kThreadsOption[] = "threads";
constexpr char kModeOption[] = "mode";

/// Keeps an allocator for as long as the library, which is a mistake.
class Context final : public backplane::IBackendContext {
 public:
  explicit Context(const backplane::BackendContextArgs& args) : allocator_(args.allocator) {
    if (Makes(Mistake::kDescriptorPerContext)) LeaveDescriptor();
    if (args.allocator) Take(args.allocator);
    if (Makes(Mistake::kOneContextOnly) && GetDevice().num_contexts > 0) {
      throw std::runtime_error("the device is in use");
    }
    ++GetDevice().num_contexts;
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() override {
    --GetDevice().num_contexts;
    if (Makes(Mistake::kContextClosesDevice)) GetDevice().is_closed = true;
  }

  backplane::Status OnNetworkEvent(const backplane::NetworkEvent& event) override {
    switch (event.kind) {
      case backplane::NetworkEventKind::kBeforeLoad:
        return Admit();
      case backplane::NetworkEventKind::kAfterLoad:
        if (event.outcome != backplane::Status::kSuccess) Forget();
        break;
      case backplane::NetworkEventKind::kBeforeUnload:
        if (Makes(Mistake::kUnloadClosesDevice)) GetDevice().is_closed = true;
        break;
      case backplane::NetworkEventKind::kAfterUnload:
        Forget();
        break;
    }
    return backplane::Status::kSuccess;
  }

 private:
  static void Take(const std::shared_ptr<backplane::ICustomAllocator>& allocator) {
    if (Makes(Mistake::kAllocatorRefusedInSilence)) throw backplane::UnsupportedException("");
    if (allocator->GetMemorySource() != backplane::MemorySource::kMalloc) {
      throw backplane::UnsupportedException("only memory of the CPU can be used");
    }
  }

  backplane::Status Admit() {
    const bool is_of_others = GetDevice().num_networks++ > num_networks_;
    if (Makes(Mistake::kContextsShareDevice) && is_of_others) return backplane::Status::kBusy;
    const bool is_first = num_networks_++ == 0;
    const bool is_refused = Makes(Mistake::kOneNetworkOnly) && !is_first;
    return is_refused ? backplane::Status::kBusy : backplane::Status::kSuccess;
  }

  void Forget() {
    --num_networks_;
    --GetDevice().num_networks;
  }

  const std::shared_ptr<backplane::ICustomAllocator> allocator_;  // or null
  std::atomic<int> num_networks_{0};
};

class ModelContext final : public backplane::IBackendModelContext {};

class ProfilingContext final : public backplane::IBackendProfilingContext {
 public:
  explicit ProfilingContext(backplane::IBackendProfiling& profiling) : profiling_(profiling) {}

  std::vector<backplane::CounterDescription> GetCounters() const override {
    std::vector<backplane::CounterDescription> counters(2);
    counters[0].id = 1;
    counters[0].name = "runs";
    counters[0].unit = "count";
    counters[0].text = "Workloads run.";
    counters[1] = counters[0];
    counters[1].id = Makes(Mistake::kCounterTwice) ? 1 : 2;
    counters[1].name = "waits";
    counters[1].text = "Fences waited for.";
    return counters;
  }

  backplane::Status ActivateCounters(std::uint64_t /*period_us*/, const std::uint32_t* ids,
                                     std::uint32_t count) override {
    const bool is_known =
        std::all_of(ids, ids + count, [](std::uint32_t id) { return id == 1 || id == 2; });
    if (!is_known && !Makes(Mistake::kTakesUnknownCounters)) return backplane::Status::kNotFound;
    return backplane::Status::kSuccess;
  }

  backplane::Status SetTimeline(backplane::ProfilingState state) override {
    const bool is_on = state == backplane::ProfilingState::kOn;
    if (!is_on && Makes(Mistake::kTimelineThrows)) throw std::runtime_error("the timeline is off");
    if (!is_on) return backplane::Status::kSuccess;
    return profiling_.ReportTimelineEvent({"timeline on", "mock", 0, 0, {}});
  }

 private:
  backplane::IBackendProfiling& profiling_;
};

inline std::vector<backplane::OptionSchema> DescribeOptions() {
  std::vector<backplane::OptionSchema> schemas(2);
  schemas[0].name = kThreadsOption;
  schemas[0].type = backplane::OptionType::kInt;
  schemas[0].default_value = Makes(Mistake::kDefaultOutside) ? 9 : 1;
  schemas[0].has_range = 1;
  schemas[0].minimum = 1;
  schemas[0].maximum = 8;
  if (!Makes(Mistake::kOptionUnexplained)) schemas[0].text = "How many threads a layer may use.";
  schemas[1].name = Makes(Mistake::kOptionTwice) ? kThreadsOption : kModeOption;
  schemas[1].type = backplane::OptionType::kString;
  schemas[1].default_value = "exact";
  schemas[1].allowed_strings = {"exact", "fast"};
  schemas[1].text = "How results are computed.";
  return schemas;
}

}  // namespace mutants
