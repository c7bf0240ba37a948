#include "profiling/profiling_context.hpp"

#include "tensors/status_text.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/runtime/profiling.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane::profiling {
namespace {

constexpr std::size_t kMaxCounters = 4096;

Diagnostic DescribeRefused(const std::string& backend_id, std::size_t num_refused,
                           const std::string& reason) {
  Diagnostic diagnostic{DiagnosticCode::kProfilingDataRefused};
  diagnostic.severity = Severity::kWarning;
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" offers " + std::to_string(num_refused) +
                    " counters that were left out";
  diagnostic.why = "found " + reason + "; expected each to have an id and a name of its own";
  diagnostic.fix = "report this to the vendor of the backend";
  return diagnostic;
}

std::string JoinNames(const std::vector<CounterDescription>& counters) {
  constexpr std::size_t kMaxShown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(counters.size(), kMaxShown); ++i) {
    text += (i == 0 ? "" : ", ") + EscapeForDisplay(counters[i].name);
  }
  if (counters.size() > kMaxShown) {
    text += " and " + std::to_string(counters.size() - kMaxShown) + " more";
  }
  return text.empty() ? "none" : text;
}

Diagnostic DescribeUnknown(const std::string& backend_id, const std::string& name,
                           const std::vector<CounterDescription>& offered) {
  std::vector<std::string> names;
  for (const CounterDescription& counter : offered) names.push_back(counter.name);
  const std::string nearest = FindNearestName(name, names);
  Diagnostic diagnostic{DiagnosticCode::kUnknownCounter};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" has no counter \"" + name + "\"";
  diagnostic.why = "found \"" + name + "\"; expected one of: " + JoinNames(offered);
  diagnostic.fix = nearest.empty() ? "give a name of the list, or leave the counter out"
                                   : "did you mean \"" + nearest + "\"?";
  return diagnostic;
}

[[noreturn]] void ThrowUnknown(const std::string& backend_id, std::vector<Diagnostic> mistakes) {
  if (mistakes.size() == 1) throw DiagnosticException(std::move(mistakes.front()));
  Diagnostic diagnostic{DiagnosticCode::kUnknownCounter};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" does not have " +
                    std::to_string(mistakes.size()) + " of the counters named";
  diagnostic.why = "each is listed below";
  diagnostic.fix = "correct or leave out these names";
  diagnostic.causes = std::move(mistakes);
  throw DiagnosticException(std::move(diagnostic));
}

// Leaves out counters without a name, and those whose id or name another has: the recorder gets
// kProfilingDataRefused for them.
std::vector<CounterDescription> CheckCounters(const std::string& backend_id,
                                              const std::vector<CounterDescription>& counters,
                                              Recorder& recorder) {
  std::vector<CounterDescription> offered;
  std::set<std::uint32_t> ids;
  std::set<std::string> names;
  std::size_t num_refused = 0;
  std::string reason;
  for (const CounterDescription& counter : counters) {
    std::string fault;
    if (counter.name.empty()) {
      fault = "counter " + std::to_string(counter.id) + " without a name";
    } else if (names.count(counter.name) != 0 || ids.count(counter.id) != 0) {
      fault = "a second counter " + std::to_string(counter.id) + " \"" + counter.name + "\"";
    } else if (offered.size() >= kMaxCounters) {
      fault = "more than " + std::to_string(kMaxCounters) + " counters";
    }
    if (fault.empty()) {
      ids.insert(counter.id);
      names.insert(counter.name);
      offered.push_back(counter);
    } else if (num_refused++ == 0) {
      reason = std::move(fault);
    }
  }
  if (num_refused != 0) recorder.Add(DescribeRefused(backend_id, num_refused, reason));
  return offered;
}

// The counters that are to be active.
// Errors: DiagnosticException with kUnknownCounter for names that the backend does not have;
// several are causes of one.
std::vector<CounterDescription> SelectCounters(const std::string& backend_id,
                                               const ProfilingOptions& options,
                                               const std::vector<CounterDescription>& offered) {
  if (options.counters == CounterChoice::kAll) return offered;
  std::vector<CounterDescription> selected;
  std::vector<Diagnostic> mistakes;
  for (const NamedCounters& named : options.named_counters) {
    if (named.backend_id != backend_id) continue;
    for (const std::string& name : named.names) {
      const auto has_name = [&](const CounterDescription& counter) { return counter.name == name; };
      const auto found = std::find_if(offered.begin(), offered.end(), has_name);
      if (found == offered.end()) {
        mistakes.push_back(DescribeUnknown(backend_id, name, offered));
      } else if (std::none_of(selected.begin(), selected.end(), has_name)) {
        selected.push_back(*found);
      }
    }
  }
  if (!mistakes.empty()) ThrowUnknown(backend_id, std::move(mistakes));
  return selected;
}

}  // namespace

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
  return CheckCounters(GetBackendId(), result.value, recorder_);
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
