// What the backend measures of itself.
#include "serving/served_backend.hpp"

#include <algorithm>
#include <utility>

namespace backplane::serving {
namespace {

using wire::Function;
using wire::Writer;

/// Reports what the backend measured, under the number of its profiling context.
class RemoteProfiling final : public IBackendProfiling {
 public:
  RemoteProfiling(Notices& notices, std::uint64_t id) : notices_(notices), id_(id) {}

  Status ReportTimelineEvent(const TimelineEvent& event) override {
    if (!is_timeline_on.load()) return Status::kUnsupported;
    notices_.Send(Function::kTimelineEvent, Writer().Put(id_, event).Get());
    return Status::kSuccess;
  }
  Status ReportCounterSamples(const CounterSample* samples, std::uint32_t count) override {
    if (samples == nullptr && count != 0) return Status::kInvalidArgument;
    constexpr std::uint32_t kMostAtOnce = 10'000;  // fit into one notice
    while (count != 0) {
      const std::uint32_t part = std::min(count, kMostAtOnce);
      Writer writer;
      writer.Put(id_).PutBytes(samples, part * sizeof(CounterSample));
      notices_.Send(Function::kCounterSamples, writer.Get());
      samples += part;
      count -= part;
    }
    return Status::kSuccess;
  }

  std::atomic<bool> is_timeline_on{false};

 private:
  Notices& notices_;
  std::uint64_t id_;
};

}  // namespace

bool ServedBackend::CreateProfilingContext(std::uint64_t id, const CallParts& parts) {
  auto profiling = std::make_unique<RemoteProfiling>(notices_, id);
  ProfilingContextArgs args;
  args.context = parts.context;
  args.profiling = profiling.get();
  args.logger = &logger_;
  const bool is_made = Keep(id, backend_.CreateBackendProfilingContext(args));
  if (is_made) profilings_[id] = std::move(profiling);
  return is_made;
}

Status ServedBackend::ActivateCounters(Profiling& context, std::uint64_t period_us,
                                       const std::vector<std::uint32_t>& ids) {
  return context->ActivateCounters(period_us, ids.data(), static_cast<std::uint32_t>(ids.size()));
}

Status ServedBackend::SetTimeline(std::uint64_t id, ProfilingState state) {
  auto& context = Get<Profiling>(id);
  static_cast<RemoteProfiling&>(*profilings_.at(id)).is_timeline_on = state == ProfilingState::kOn;
  return context->SetTimeline(state);
}

}  // namespace backplane::serving
