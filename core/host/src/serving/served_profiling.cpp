// What the backend measures of itself.
#include "serving/served_backend.hpp"

#include "messages/api_values.hpp"
#include "serving/answers.hpp"

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
    Writer writer;
    writer.Put(id_);
    wire::PutFields(writer, event);
    notices_.Send(Function::kTimelineEvent, writer.Get());
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

ServedBackend::Body ServedBackend::CreateProfilingContext(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  ProfilingContextArgs args;
  args.context = FindContext(request.reader.Take<std::uint64_t>());
  auto profiling = std::make_unique<RemoteProfiling>(notices_, id);
  args.profiling = profiling.get();
  args.logger = &logger_;
  auto context = backend_.CreateBackendProfilingContext(args);
  const bool is_made = context != nullptr;
  if (is_made) {
    objects_.Keep(id, std::move(context));
    profilings_[id] = std::move(profiling);
  }
  return AnswerMade(is_made);
}

ServedBackend::Body ServedBackend::GetCounters(Request& request) {
  Writer writer;
  wire::PutFields(
      writer, Get<std::unique_ptr<IBackendProfilingContext>>(request.reader.Take<std::uint64_t>())
                  ->GetCounters());
  return writer.Get();
}

ServedBackend::Body ServedBackend::ActivateCounters(Request& request) {
  auto& context =
      Get<std::unique_ptr<IBackendProfilingContext>>(request.reader.Take<std::uint64_t>());
  const auto period_us = request.reader.Take<std::uint64_t>();
  std::vector<std::uint32_t> ids(request.reader.TakeCount(sizeof(std::uint32_t)));
  for (std::uint32_t& id : ids) id = request.reader.Take<std::uint32_t>();
  return AnswerStatus(
      context->ActivateCounters(period_us, ids.data(), static_cast<std::uint32_t>(ids.size())));
}

ServedBackend::Body ServedBackend::SetTimeline(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& context = Get<std::unique_ptr<IBackendProfilingContext>>(id);
  const auto state = request.reader.Take<ProfilingState>();
  static_cast<RemoteProfiling&>(*profilings_.at(id)).is_timeline_on = state == ProfilingState::kOn;
  return AnswerStatus(context->SetTimeline(state));
}

}  // namespace backplane::serving
