#include "profiling/span.hpp"
#include "runtime/late_report.hpp"
#include "runtime/runtime.hpp"

#include <backplane/host/contexts.hpp>
#include <backplane/host/crash_notes.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/options.hpp>
#include <backplane/host/scan.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace {

[[noreturn]] void Throw(DiagnosticCode code, const std::string& id, const std::string& what,
                        const std::string& why, const std::string& fix) {
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what = what;
  diagnostic.why = why;
  diagnostic.fix = fix;
  throw DiagnosticException(std::move(diagnostic));
}

// Checks what an application gives: no allocator is null, and no backend has two.
// Errors: DiagnosticException with kNullAllocator or kDuplicateAllocator.
void CheckAllocators(const std::vector<CustomAllocator>& allocators) {
  std::set<std::string> ids;
  for (const CustomAllocator& custom : allocators) {
    const std::string& id = custom.backend_id;
    if (!custom.allocator) {
      Throw(DiagnosticCode::kNullAllocator, id,
            "the custom allocator for backend \"" + id + "\" is null",
            "found null; expected an ICustomAllocator",
            "give an allocator, or leave the backend out of CreationOptions::custom_allocators");
    }
    if (!ids.insert(id).second) {
      Throw(DiagnosticCode::kDuplicateAllocator, id,
            "backend \"" + id + "\" is given two custom allocators",
            "found a second entry for \"" + id +
                "\" in CreationOptions::custom_allocators; expected at most one",
            "give one allocator for each backend");
    }
  }
}

constexpr char kCreationChannel[] = "runtime";

// Where nothing was scanned for a backend that is linked in, its failure has a place too.
Candidate& FindOrAddCandidate(const BackendRegistration& registration, LoadReport& report) {
  const std::string& id = registration.origin->backend_id;
  const auto found = std::find_if(report.candidates.begin(), report.candidates.end(),
                                  [&](const Candidate& candidate) {
                                    return candidate.status == CandidateStatus::kLoaded &&
                                           candidate.identity && candidate.identity->id == id;
                                  });
  if (found != report.candidates.end()) return *found;
  Candidate candidate;
  candidate.path = registration.source;
  candidate.stage = Stage::kCreate;
  candidate.where = ProbedIn::kInProcess;
  candidate.identity = BackendIdentity{id, registration.origin->declared_version};
  report.candidates.push_back(std::move(candidate));
  return report.candidates.back();
}

void LeaveOut(const std::string& backend_id, const Diagnostic& reason, LoadedBackends& loaded) {
  const BackendRegistration registration = loaded.registry->GetRegistration(backend_id);
  loaded.registry->Deregister(backend_id);
  loaded.registry->RememberUnusable(backend_id, reason);
  if (reason.code == DiagnosticCode::kFailedAtFirstUse) return;  // its file is in the report
  Candidate& candidate = FindOrAddCandidate(registration, loaded.report);
  candidate.status =
      IsUnavailability(reason) ? CandidateStatus::kUnavailable : CandidateStatus::kRejected;
  candidate.diagnostics.push_back(reason);
}

bool HasOptions(const std::string& backend_id, const CreationOptions& options) {
  return std::any_of(options.backend_options.begin(), options.backend_options.end(),
                     [&](const BackendOptions& group) { return group.backend_id == backend_id; });
}

// Mistakes in options are the application's own; other failures leave a backend out.
void ThrowMistakesInOptions(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (IsMistakeInOptions(diagnostic)) throw DiagnosticException(diagnostic);
  }
}

// Whether the context of a backend that is opened at first use can be made then. One with options
// is opened now when they can be checked no other way.
bool CanWait(const std::string& id, const LateBackends& late, const CreationOptions& options) {
  const auto found = late.find(id);
  if (found == late.end()) return false;
  if (!HasOptions(id, options)) return true;
  const auto* known = found->second->GetKnownOptions();
  if (known == nullptr) return false;
  CheckOptions(id, *known, options.backend_options, OptionPlace::kRuntime);
  return true;
}

// The scan has made those of the files that were opened.
void MakeContexts(LoadedBackends& loaded, const LateBackends& late, const CreationOptions& options,
                  RuntimeContexts& contexts, std::vector<Diagnostic>& reasons) {
  std::set<std::string> made;
  for (LoadedContext& context : loaded.contexts) {
    made.insert(context.backend_id);
    contexts.Add(std::move(context));
  }
  for (const std::string& id : loaded.registry->GetBackendIds()) {
    if (made.count(id) != 0 || CanWait(id, late, options)) continue;
    try {
      contexts.Get(loaded.registry->CreateBackend(id));
    } catch (const DiagnosticException& exception) {
      Diagnostic reason = exception.GetDiagnostic();
      ThrowMistakesInOptions({reason});
      ThrowMistakesInOptions(reason.causes);
      if (IsUnavailability(reason)) reason.severity = Severity::kWarning;
      LeaveOut(id, reason, loaded);
      reasons.push_back(std::move(reason));
    }
  }
}

// Whoever asks for an allocator or for protected memory wants to know who is out because of it.
bool IsWarning(const Candidate& candidate, const Diagnostic& headline) {
  return candidate.status == CandidateStatus::kRejected ||
         (candidate.status == CandidateStatus::kUnavailable && !IsOwnUnavailability(headline));
}

void LogWarnings(const LoadReport& report, const std::vector<Diagnostic>& reasons) {
  if (!IsLogEnabled(kCreationChannel, LogLevel::kWarning)) return;
  const auto log = [](const Diagnostic& diagnostic) {
    Log(kCreationChannel, LogLevel::kWarning, ToText(diagnostic));
  };
  const auto log_warnings = [&](const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.severity != Severity::kNote) log(diagnostic);
    }
  };
  log_warnings(report.configuration.diagnostics);
  if (report.joint_run) log_warnings(report.joint_run->diagnostics);
  for (const SearchPathReport& path : report.search_paths) log_warnings(path.diagnostics);
  for (const Candidate& candidate : report.candidates) {
    const Diagnostic* headline = GetHeadline(candidate);
    if (headline != nullptr && IsWarning(candidate, *headline)) log(*headline);
  }
  for (const Diagnostic& reason : reasons) {
    // The others are logged, by the report or when they failed.
    if (IsOwnUnavailability(reason)) log(reason);
  }
}

void DisableStatic(const Setting& disabled, LoadedBackends& loaded) {
  for (const std::string& id : loaded.registry->GetBackendIds()) {
    if (fnmatch(disabled.value.c_str(), id.c_str(), 0) != 0) continue;
    loaded.registry->Deregister(id);
    Diagnostic reason{DiagnosticCode::kBackendDisabled, Severity::kNote};
    reason.subject = {SubjectKind::kBackend, id};
    reason.what = "backend \"" + id + "\" is disabled";
    reason.why = "found \"" + disabled.value + "\" in " + disabled.origin;
    reason.fix = "to use it, take that entry out of " + disabled.origin;
    loaded.disabled.push_back(reason);
    loaded.registry->RememberUnusable(id, std::move(reason));
  }
}

// A backend that is linked in is disabled by its id or a glob of ids, as one from a file is.
void DisableStatics(const ScanOptions& scan, LoadedBackends& loaded) {
  for (const Setting& disabled : scan.configuration.disabled) DisableStatic(disabled, loaded);
  for (const std::string& id : scan.disabled) {
    DisableStatic({id, "CreationOptions::disabled_backends"}, loaded);
  }
}

// A rule that names one backend is there for one that exists, and comes from a file.
void CheckIsolationRule(const IsolationRule& rule, const BackendRegistry& registry) {
  const bool is_pattern = rule.backend.find_first_of("*?[") != std::string::npos;
  if (is_pattern || rule.isolation == Isolation::kInProcess) return;
  const BackendRegistration registration = registry.GetRegistration(rule.backend);
  if (registration.origin->isolation || registration.origin->library || registration.late) return;
  Diagnostic diagnostic{DiagnosticCode::kCannotIsolate};
  diagnostic.subject = {SubjectKind::kBackend, rule.backend};
  diagnostic.what = "backend \"" + rule.backend + "\" cannot run in a process of its own";
  diagnostic.why = "found it linked into the program (" + registration.source +
                   "); expected a file that can be opened elsewhere";
  diagnostic.fix =
      "take the rule out of CreationOptions::isolation, or build the backend as a file";
  throw DiagnosticException(std::move(diagnostic));
}

ContextSettings MakeContextSettings(const CreationOptions& options) {
  return {options.backend_options, options.custom_allocators, options.protection};
}

ScanOptions MakeScanOptions(const CreationOptions& options) {
  ScanOptions scan;
  scan.configuration = ReadConfiguration({options.user_backends, options.trust.policy});
  if (!options.dynamic_backends_path.empty()) {
    scan.search_paths = {{options.dynamic_backends_path, PathSource::kOption}};
  }
  scan.opening = options.opening;
  if (options.probe == BackendProbe::kChild) scan.probe = ProbeMode::kChild;
  scan.probe_settings = options.probe_settings;
  scan.disabled = options.disabled_backends;
  scan.variants = options.variants;
  scan.trust = options.trust;
  scan.isolation = options.isolation;
  scan.contexts = MakeContextSettings(options);
  return scan;
}

// The counters that are named exist, as far as their backends are open.
void StartProfiling(profiling::RuntimeProfiling& profiling, const BackendRegistry& registry,
                    const RuntimeContexts& contexts) {
  profiling.CheckTargets(registry);
  for (const auto& context : contexts.GetAll()) {
    profiling.Start(registry, context->GetBackendId(), context->GetContext(),
                    profiling::BackendOpening::kAtScan);
  }
}

}  // namespace

std::unique_ptr<IRuntime> CreateRuntime(LoadedBackends loaded, const CreationOptions& options) {
  CheckAllocators(options.custom_allocators);
  for (const BackendOptions& group : options.backend_options) {
    RequireKnownBackend(*loaded.registry, group.backend_id);
  }
  for (const CustomAllocator& custom : options.custom_allocators) {
    RequireKnownBackend(*loaded.registry, custom.backend_id);
  }
  for (const IsolationRule& rule : options.isolation.rules) {
    CheckIsolationRule(rule, *loaded.registry);
  }
  for (const Candidate& candidate : loaded.report.candidates) {
    ThrowMistakesInOptions(candidate.diagnostics);
  }
  const LateBackends late = CollectLateBackends(*loaded.registry);
  auto contexts =
      std::make_shared<RuntimeContexts>(loaded.registry, late, MakeContextSettings(options));
  std::vector<Diagnostic> reasons = std::move(loaded.disabled);
  MakeContexts(loaded, late, options, *contexts, reasons);
  if (loaded.registry->Size() == 0) ThrowNoBackends(loaded.report, reasons);
  LogWarnings(loaded.report, reasons);
  std::unique_ptr<profiling::RuntimeProfiling> profiling = std::move(loaded.profiling);
  if (!profiling) profiling = profiling::RuntimeProfiling::Make(options.profiling);
  if (profiling) StartProfiling(*profiling, *loaded.registry, *contexts);
  DeviceSpec device(std::move(loaded.registry), std::move(contexts),
                    profiling ? profiling->GetRecorder() : nullptr, std::move(loaded.preferred));
  return std::make_unique<Runtime>(std::move(device), std::move(loaded.report), late,
                                   std::move(profiling), options);
}

std::unique_ptr<IRuntime> IRuntime::Create(const CreationOptions& options) {
  // On before any code of a backend runs.
  const auto crash_notes = options.crash_notes ? TurnOnCrashNotes(*options.crash_notes) : nullptr;
  CheckAllocators(options.custom_allocators);
  LoadedBackends loaded;
  loaded.registry = std::make_shared<BackendRegistry>(BackendRegistry::GetProcessRegistry());
  const ScanOptions scan = MakeScanOptions(options);
  DisableStatics(scan, loaded);
  loaded.preferred = scan.configuration.preferred;
  loaded.profiling = profiling::RuntimeProfiling::Make(options.profiling);
  {
    const profiling::Span span(loaded.profiling ? loaded.profiling->GetRecorder().get() : nullptr,
                               ProfileEventKind::kScan, "scan");
    loaded.report = LoadBackends(scan, *loaded.registry, &loaded.contexts);
  }
  for (const Diagnostic& unmet : loaded.report.diagnostics) throw DiagnosticException(unmet);
  return CreateRuntime(std::move(loaded), options);
}

}  // namespace backplane
