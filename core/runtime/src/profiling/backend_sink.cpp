#include "profiling/backend_sink.hpp"

#include "profiling/clock.hpp"

#include <backplane/host/host_call.hpp>

#include <cmath>
#include <utility>

namespace backplane::profiling {
namespace {

constexpr std::size_t kMaxNames = 4096;
constexpr std::size_t kMaxLanes = 64;
// Clocks of devices are converted, and not exactly.
constexpr std::uint64_t kToleranceNs = 1'000'000'000;

std::string DescribeTimes(const TimelineEvent& event) {
  return "from " + std::to_string(event.begin_ns) + " to " + std::to_string(event.end_ns) + " ns";
}

}  // namespace

BackendSink::BackendSink(std::string backend_id, std::uint64_t begin_ns, std::size_t max_events)
    : backend_id_(std::move(backend_id)),
      begin_ns_(begin_ns),
      names_(kMaxNames, "(no name)"),
      lanes_(kMaxLanes, "events"),
      events_(max_events),
      samples_(max_events) {}

Status BackendSink::ReportTimelineEvent(const TimelineEvent& event) {
  return AnswerPlugin([&] {
    const std::lock_guard<std::mutex> lock(mutex_);
    return TakeEvent(event);
  });
}

Status BackendSink::ReportCounterSamples(const CounterSample* samples, std::uint32_t count) {
  return AnswerPlugin([&] {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (samples == nullptr && count != 0) return Refuse("values at a null address");
    Status worst = Status::kSuccess;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Status status = TakeSample(samples[i]);
      if (worst == Status::kSuccess) worst = status;
    }
    return worst;
  });
}

Status BackendSink::TakeEvent(const TimelineEvent& event) {
  if (timeline_ == ProfilingState::kOff) return Status::kUnsupported;
  if (event.end_ns < event.begin_ns) {
    return Refuse("an event that ends before it begins, " + DescribeTimes(event));
  }
  if (!IsInLife(event.begin_ns) || !IsInLife(event.end_ns)) {
    return Refuse("an event outside the life of the runtime, " + DescribeTimes(event));
  }
  events_.Add({names_.Number(event.name), lanes_.Number(event.lane), event.begin_ns, event.end_ns});
  return Status::kSuccess;
}

Status BackendSink::TakeSample(const CounterSample& sample) {
  const auto counter = active_.find(sample.id);
  if (counter == active_.end()) {
    static_cast<void>(
        Refuse("a value of counter " + std::to_string(sample.id) + ", which is not active"));
    return Status::kNotFound;
  }
  const std::string& name = counters_[counter->second].name;
  if (!std::isfinite(sample.value)) {
    return Refuse("a value of counter \"" + name + "\" that is not a number");
  }
  if (!IsInLife(sample.time_ns)) {
    return Refuse("a value of counter \"" + name + "\" outside the life of the runtime, at " +
                  std::to_string(sample.time_ns) + " ns");
  }
  samples_.Add({counter->second, sample.time_ns, sample.value});
  return Status::kSuccess;
}

Status BackendSink::Refuse(const std::string& reason) {
  if (refused_.count++ == 0) refused_.first = reason;
  return Status::kInvalidArgument;
}

bool BackendSink::IsInLife(std::uint64_t time_ns) const {
  return time_ns >= begin_ns_ && time_ns <= Now() + kToleranceNs;
}

void BackendSink::SetTimeline(ProfilingState state) {
  const std::lock_guard<std::mutex> lock(mutex_);
  timeline_ = state;
}

void BackendSink::SetCounters(const std::vector<CounterDescription>& counters) {
  const std::lock_guard<std::mutex> lock(mutex_);
  active_.clear();
  for (const CounterDescription& counter : counters) {
    active_.emplace(counter.id, static_cast<std::uint32_t>(counters_.size()));
    counters_.push_back(counter);
  }
}

void BackendSink::AddTo(Profile& profile) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  AddEvents(profile);
  AddCounters(profile);
  if (refused_.count == 0) return;
  Diagnostic diagnostic{DiagnosticCode::kProfilingDataRefused};
  diagnostic.severity = Severity::kWarning;
  diagnostic.subject = {SubjectKind::kBackend, backend_id_};
  diagnostic.what = "backend \"" + backend_id_ + "\" reported " + std::to_string(refused_.count) +
                    " events or values that were left out";
  diagnostic.why = "found " + refused_.first + (refused_.count == 1 ? "" : ", and others") +
                   "; expected times of the steady clock since the runtime was made, in order, and "
                   "finite values of active counters";
  diagnostic.fix = "report this to the vendor of the backend";
  profile.diagnostics.push_back(std::move(diagnostic));
}

void BackendSink::AddEvents(Profile& profile) const {
  const auto first_lane = static_cast<std::uint32_t>(profile.lanes.size());
  events_.ForEach([&](const Event& event) {
    ProfileEvent added;
    added.kind = ProfileEventKind::kBackend;
    added.lane = first_lane + event.lane;
    added.name = names_.GetName(event.name);
    added.begin_ns = event.begin_ns;
    added.end_ns = event.end_ns;
    added.backend_id = backend_id_;
    profile.events.push_back(std::move(added));
  });
  profile.num_lost_events += events_.CountLost();
  for (std::uint32_t lane = 0; lane < lanes_.GetSize(); ++lane) {
    profile.lanes.push_back({backend_id_, lanes_.GetName(lane)});
  }
}

void BackendSink::AddCounters(Profile& profile) const {
  const std::size_t first = profile.counters.size();
  for (const CounterDescription& counter : counters_) {
    profile.counters.push_back({backend_id_, counter.name, counter.unit, counter.text, {}});
  }
  samples_.ForEach([&](const Sample& sample) {
    profile.counters[first + sample.counter].values.push_back({sample.time_ns, sample.value});
  });
  profile.num_lost_values += samples_.CountLost();
}

NameTable::NameTable(std::size_t max_names, std::string instead) : max_names_(max_names) {
  names_.push_back(std::move(instead));
}

std::uint32_t NameTable::Number(std::string_view name) {
  constexpr std::size_t kMaxBytes = 256;
  name = name.substr(0, kMaxBytes);
  if (name.empty()) return 0;
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  if (names_.size() >= max_names_) return 0;
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(name, number);
  return number;
}

}  // namespace backplane::profiling
