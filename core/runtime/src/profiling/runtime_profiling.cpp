#include "profiling/runtime_profiling.hpp"

#include "profiling/opening_events.hpp"

#include <backplane/host/isolation.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/options.hpp>

#include <algorithm>

namespace backplane::profiling {

namespace {

// In each lane what contains another stands before it.
bool IsBefore(const ProfileEvent& a, const ProfileEvent& b) {
  if (a.lane != b.lane) return a.lane < b.lane;
  if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
  return a.end_ns > b.end_ns;
}

}  // namespace

std::unique_ptr<RuntimeProfiling> RuntimeProfiling::Make(const ProfilingOptions& options) {
  if (options.state == ProfilingState::kOff) return nullptr;
  return std::make_unique<RuntimeProfiling>(options);
}

RuntimeProfiling::RuntimeProfiling(const ProfilingOptions& options)
    : options_(options), recorder_(std::make_shared<Recorder>(options.max_events)) {}

RuntimeProfiling::~RuntimeProfiling() {
  while (!contexts_.empty()) contexts_.pop_back();
}

void RuntimeProfiling::CheckTargets(const BackendRegistry& registry) const {
  for (const NamedCounters& named : options_.named_counters) {
    RequireKnownBackend(registry, named.backend_id);
  }
}

void RuntimeProfiling::Start(const BackendRegistry& registry, const std::string& backend_id,
                             IBackendContext* context, BackendOpening opening) {
  try {
    MakeContext(registry, backend_id, context);
  } catch (const DiagnosticException& exception) {
    const Diagnostic& thrown = exception.GetDiagnostic();
    const bool is_late = opening == BackendOpening::kLate;
    if (thrown.code == DiagnosticCode::kUnknownCounter && !is_late) throw;
    Note(thrown);
  }
}

void RuntimeProfiling::MakeContext(const BackendRegistry& registry, const std::string& backend_id,
                                   IBackendContext* context) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto backend = registry.CreateBackend(backend_id);
  const auto& process = backend.GetOrigin()->isolation;
  const auto [started, is_first] = started_.emplace(backend_id, 0);
  if (!is_first && (process == nullptr || !process->HasEnded(started->second))) return;
  started->second = StartProcess(process.get());
  contexts_.push_back(std::make_unique<ProfilingContext>(backend, context, *recorder_));
  contexts_.back()->Start(options_);
}

void RuntimeProfiling::Note(const Diagnostic& diagnostic) {
  Log("profiling", LogLevel::kWarning, ToText(diagnostic));
  recorder_->Add(diagnostic);
}

Profile RuntimeProfiling::MakeProfile(const LoadReport& report) const {
  Profile profile = recorder_->MakeProfile();
  AddOpenings(report, profile);
  std::sort(profile.events.begin(), profile.events.end(), IsBefore);
  return profile;
}

}  // namespace backplane::profiling
