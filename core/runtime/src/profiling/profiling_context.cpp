#include "profiling/profiling_context.hpp"

#include "profiling/counter_selection.hpp"
#include "tensors/status_text.hpp"

#include <backplane/host/logging.hpp>

#include <utility>

namespace backplane::profiling {

ProfilingContext::ProfilingContext(const PluginObject<IBackendInternal>& backend,
                                   IBackendContext* context, Recorder& recorder)
    : origin_(backend.GetOrigin()),
      recorder_(recorder),
      sink_(recorder.AddBackend(origin_->backend_id)) {
  ProfilingContextArgs args;
  args.profiling = sink_.get();
  args.context = context;
  args.logger = origin_->logger.get();
  auto made = backend.Call<&IBackendInternal::CreateBackendProfilingContext>(args);
  if (made.HasFailed()) {
    Note("CreateBackendProfilingContext", made.failure->why, made.failure.get());
  } else {
    context_ = {std::move(made.value), origin_};
  }
}

ProfilingContext::~ProfilingContext() {
  if (has_counters_) {
    const auto result =
        context_.Call<&IBackendProfilingContext::ActivateCounters>(std::uint64_t{0}, nullptr, 0U);
    IsRefused("ActivateCounters", result);
    sink_->SetCounters({});
  }
  if (has_timeline_) {
    const auto result = context_.Call<&IBackendProfilingContext::SetTimeline>(ProfilingState::kOff);
    IsRefused("SetTimeline", result);
    sink_->SetTimeline(ProfilingState::kOff);
  }
}

void ProfilingContext::Start(const ProfilingOptions& options) {
  const std::vector<CounterDescription> offered = AskForCounters();
  const std::vector<CounterDescription> selected = SelectCounters(GetBackendId(), options, offered);
  if (!context_) return;
  if (!selected.empty()) ActivateCounters(selected, options.counter_period_us);
  if (options.timelines == ProfilingState::kOn) StartTimeline();
}

std::vector<CounterDescription> ProfilingContext::AskForCounters() {
  if (!context_) return {};
  auto result = context_.Call<&IBackendProfilingContext::GetCounters>();
  if (result.HasFailed()) {
    Note("GetCounters", result.failure->why, result.failure.get());
    return {};
  }
  OfferedCounters offered = CheckCounters(GetBackendId(), result.value);
  for (Diagnostic& diagnostic : offered.diagnostics) recorder_.Add(std::move(diagnostic));
  return std::move(offered.counters);
}

// The first values may come before the call returns.
void ProfilingContext::ActivateCounters(const std::vector<CounterDescription>& counters,
                                        std::uint64_t period_us) {
  std::vector<std::uint32_t> ids;
  for (const CounterDescription& counter : counters) ids.push_back(counter.id);
  sink_->SetCounters(counters);
  const auto result = context_.Call<&IBackendProfilingContext::ActivateCounters>(
      period_us, ids.data(), static_cast<std::uint32_t>(ids.size()));
  has_counters_ = !IsRefused("ActivateCounters", result);
  if (!has_counters_) sink_->SetCounters({});
}

void ProfilingContext::StartTimeline() {
  sink_->SetTimeline(ProfilingState::kOn);
  const auto result = context_.Call<&IBackendProfilingContext::SetTimeline>(ProfilingState::kOn);
  has_timeline_ = !IsRefused("SetTimeline", result);
  if (!has_timeline_) sink_->SetTimeline(ProfilingState::kOff);
}

bool ProfilingContext::IsRefused(const char* function, const PluginResult<Status>& result) {
  if (result.HasFailed()) {
    Note(function, result.failure->why, result.failure.get());
    return true;
  }
  if (result.value == Status::kSuccess) return false;
  Note(function,
       std::string("found the status \"") + DescribeStatus(result.value) + "\"; expected \"" +
           GetStatusText(Status::kSuccess) + "\"",
       nullptr);
  return true;
}

void ProfilingContext::Note(const char* function, const std::string& why, const Diagnostic* cause) {
  Diagnostic diagnostic{DiagnosticCode::kBackendProfilingFailed};
  diagnostic.severity = Severity::kWarning;
  diagnostic.subject = {SubjectKind::kBackend, GetBackendId()};
  diagnostic.what =
      std::string("the profiling of backend \"") + GetBackendId() + "\" failed in " + function;
  diagnostic.why = why;
  diagnostic.fix = "look at the log of channel backend." + GetBackendId() +
                   ", or report this to the vendor of the backend; all else is measured";
  if (cause != nullptr) diagnostic.causes = {*cause};
  Log("profiling", LogLevel::kWarning, ToText(diagnostic));
  recorder_.Add(std::move(diagnostic));
}

}  // namespace backplane::profiling
