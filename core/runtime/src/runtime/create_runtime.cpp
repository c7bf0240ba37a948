#include "runtime/no_backends.hpp"
#include "runtime/runtime.hpp"

#include "options/option_check.hpp"
#include "profiling/span.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/scan.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace backplane {

namespace {

constexpr char kChannel[] = "runtime";

// Mistakes in options are the application's own; the rest leaves the backend out.
bool IsMistakeInOptions(const Diagnostic& diagnostic) {
  return diagnostic.code == DiagnosticCode::kUnknownOption ||
         diagnostic.code == DiagnosticCode::kInvalidOption;
}

// The scan tried the backend without options; with them it may fail all the same.
void NoteInReport(const std::string& backend_id, const Diagnostic& reason, LoadReport& report) {
  for (Candidate& candidate : report.candidates) {
    if (candidate.status != CandidateStatus::kLoaded || !candidate.identity ||
        candidate.identity->id != backend_id) {
      continue;
    }
    candidate.status = reason.code == DiagnosticCode::kBackendUnavailable
                           ? CandidateStatus::kUnavailable
                           : CandidateStatus::kRejected;
    candidate.diagnostics.push_back(reason);
  }
}

void LeaveOut(const std::string& backend_id, const Diagnostic& reason, BackendRegistry& registry,
              LoadReport& report) {
  registry.Deregister(backend_id);
  registry.RememberUnusable(backend_id, reason);
  NoteInReport(backend_id, reason, report);
}

bool HasOptions(const std::string& backend_id, const CreationOptions& options) {
  return std::any_of(options.backend_options.begin(), options.backend_options.end(),
                     [&](const BackendOptions& group) { return group.backend_id == backend_id; });
}

using MadeContexts = std::unordered_map<std::string, PluginObject<IBackendContext>>;

// Takes the context that the scan made. One with options is made here, where they are checked.
std::unique_ptr<BackendContext> MakeContext(const std::string& id, const BackendRegistry& registry,
                                            MadeContexts& made, const CreationOptions& options) {
  const auto found = made.find(id);
  if (found != made.end()) {
    const PluginObject<IBackendContext> context = std::move(found->second);
    if (!HasOptions(id, options)) return std::make_unique<BackendContext>(id, context);
  }
  return std::make_unique<BackendContext>(registry, id, options.backend_options);
}

// A late backend is opened now only when it has options: they can be checked no other way.
RuntimeContexts::Made MakeContexts(LoadedBackends& loaded, const LateBackends& late,
                                   const CreationOptions& options,
                                   std::vector<Diagnostic>& reasons) {
  MadeContexts made;
  for (LoadedContext& context : loaded.contexts) {
    made.emplace(context.backend_id, std::move(context.context));
  }
  RuntimeContexts::Made contexts;
  for (const std::string& id : loaded.registry->GetBackendIds()) {
    if (late.count(id) != 0 && !HasOptions(id, options)) continue;
    try {
      contexts.push_back(MakeContext(id, *loaded.registry, made, options));
    } catch (const DiagnosticException& exception) {
      const Diagnostic& reason = exception.GetDiagnostic();
      if (IsMistakeInOptions(reason)) throw;
      LeaveOut(id, reason, *loaded.registry, loaded.report);
      reasons.push_back(reason);
    }
  }
  return contexts;
}

void LogWarnings(const LoadReport& report, const std::vector<Diagnostic>& reasons) {
  if (!IsLogEnabled(kChannel, LogLevel::kWarning)) return;
  const auto log = [](const Diagnostic& diagnostic) {
    Log(kChannel, LogLevel::kWarning, ToText(diagnostic));
  };
  for (const SearchPathReport& path : report.search_paths) {
    for (const Diagnostic& diagnostic : path.diagnostics) log(diagnostic);
  }
  for (const Candidate& candidate : report.candidates) {
    const Diagnostic* headline = GetHeadline(candidate);
    if (candidate.status == CandidateStatus::kRejected && headline != nullptr) log(*headline);
  }
  for (const Diagnostic& reason : reasons) {
    if (reason.code != DiagnosticCode::kFailedAtFirstUse) log(reason);  // that one is logged
  }
}

// A backend that is linked in is disabled by its id, as one from a file is.
void DisableStatic(const std::vector<std::string>& disabled, BackendRegistry& registry) {
  for (const std::string& id : registry.GetBackendIds()) {
    if (std::find(disabled.begin(), disabled.end(), id) == disabled.end()) continue;
    registry.Deregister(id);
    Diagnostic reason{DiagnosticCode::kBackendDisabled};
    reason.severity = Severity::kNote;
    reason.subject = {SubjectKind::kBackend, id};
    reason.what = "backend \"" + id + "\" is disabled";
    reason.why = "found its id among the disabled ones";
    reason.fix =
        "take the id out of CreationOptions::disabled_backends and "
        "BACKPLANE_DISABLE_BACKENDS";
    registry.RememberUnusable(id, std::move(reason));
  }
}

ScanOptions MakeScanOptions(const CreationOptions& options) {
  ScanOptions scan;
  if (options.dynamic_backends_path.empty()) {
    scan.search_paths = GetCompiledInSearchPaths();
  } else {
    scan.search_paths = {{options.dynamic_backends_path, PathSource::kOption}};
  }
  scan.opening = options.opening;
  if (options.probe == BackendProbe::kChild) scan.probe = ProbeMode::kChild;
  scan.probe_settings = options.probe_settings;
  scan.disabled = GetDisabledFromEnvironment();
  scan.disabled.insert(scan.disabled.end(), options.disabled_backends.begin(),
                       options.disabled_backends.end());
  scan.trust = options.trust;
  return scan;
}

// The counters that are named exist, as far as their backends are open.
void StartProfiling(profiling::RuntimeProfiling& profiling, const BackendRegistry& registry,
                    const RuntimeContexts::Made& contexts) {
  profiling.CheckTargets(registry);
  for (const auto& context : contexts) {
    profiling.Start(registry, context->GetBackendId(), context->GetContext());
  }
}

}  // namespace

std::unique_ptr<IRuntime> CreateRuntime(LoadedBackends loaded, const CreationOptions& options) {
  std::vector<Diagnostic> reasons;
  CheckOptionTargets(*loaded.registry, options.backend_options);
  LateBackends late = CollectLateBackends(*loaded.registry);
  RuntimeContexts::Made contexts = MakeContexts(loaded, late, options, reasons);
  if (loaded.registry->Size() == 0) ThrowNoBackends(loaded.report, reasons);
  LogWarnings(loaded.report, reasons);
  std::unique_ptr<profiling::RuntimeProfiling> profiling = std::move(loaded.profiling);
  if (!profiling) profiling = profiling::RuntimeProfiling::Make(options.profiling);
  if (profiling) StartProfiling(*profiling, *loaded.registry, contexts);
  return std::make_unique<Runtime>(std::move(loaded.registry), std::move(loaded.report),
                                   std::move(contexts), std::move(late), std::move(profiling));
}

std::unique_ptr<IRuntime> IRuntime::Create(const CreationOptions& options) {
  LoadedBackends loaded;
  loaded.registry = std::make_shared<BackendRegistry>(BackendRegistry::GetProcessRegistry());
  const ScanOptions scan = MakeScanOptions(options);
  DisableStatic(scan.disabled, *loaded.registry);
  loaded.profiling = profiling::RuntimeProfiling::Make(options.profiling);
  {
    const profiling::Span span(loaded.profiling ? loaded.profiling->GetRecorder().get() : nullptr,
                               ProfileEventKind::kScan, "scan");
    loaded.report = LoadBackends(scan, *loaded.registry, &loaded.contexts);
  }
  return CreateRuntime(std::move(loaded), options);
}

}  // namespace backplane
