#include "conflicts/host_process.hpp"
#include "isolation/isolation_rules.hpp"
#include "scanning/operator_rules.hpp"
#include "scanning/scan_run.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/scan.hpp>

#include <string>
#include <utility>

namespace backplane {
namespace {

constexpr std::string_view kChannel = "discovery";

void RememberUnusable(const LoadReport& report, BackendRegistry& registry) {
  for (const Candidate& candidate : report.candidates) {
    const Diagnostic* reason = GetHeadline(candidate);
    if (candidate.status == CandidateStatus::kSkipped && !candidate.diagnostics.empty() &&
        candidate.diagnostics.front().code == DiagnosticCode::kBackendDisabled) {
      reason = &candidate.diagnostics.front();
    }
    if (reason == nullptr) continue;
    if (candidate.identity) registry.RememberUnusable(candidate.identity->id, *reason);
    registry.RememberUnusableFile(candidate.path, *reason);
  }
  for (const Diagnostic& unmet : report.diagnostics) {
    registry.RememberUnusable(unmet.subject.name, unmet);
  }
}

void LogReport(const LoadReport& report) {
  if (!IsLogEnabled(kChannel, LogLevel::kDebug)) return;
  for (const Candidate& candidate : report.candidates) {
    Log(kChannel, LogLevel::kDebug,
        candidate.path + ": " + GetCandidateStatusName(candidate.status) + " at stage " +
            GetStageName(candidate.stage));
  }
}

scanning::Admission GetAdmission(const ScanOptions& options) {
  return options.opening == Opening::kLazy ? scanning::Admission::kLate
                                           : scanning::Admission::kOpen;
}

LoadReport ScanFolders(ScanOptions options, scanning::Admission admission,
                       BackendRegistry& registry, std::vector<LoadedContext>* contexts) {
  std::uint64_t& limit = options.probe_settings.max_data_bytes;
  limit = options.configuration.probe_max_data_bytes.value_or(limit);
  LoadReport report = scanning::ScanRun(options, admission, registry, contexts).Run();
  RememberUnusable(report, registry);
  scanning::CheckPreferred(options, registry, report.configuration.diagnostics);
  scanning::CheckRules(options, registry, report);
  LogReport(report);
  return report;
}

}  // namespace

std::optional<Diagnostic> CheckProgram(const std::string& path) {
  if (conflicts::ReadProgramFile(path)) return std::nullopt;
  Diagnostic diagnostic{DiagnosticCode::kUsageError};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " is no program beside which backends could be judged";
  diagnostic.why =
      "expected the ELF file of a program for this machine that can be read and is linked "
      "dynamically";
  diagnostic.fix = "name the program itself; for a script, the interpreter that runs it";
  return diagnostic;
}

LoadReport Scan(const ScanOptions& options) {
  BackendRegistry registry(BackendRegistry::GetProcessRegistry());
  const auto admission = options.probe == ProbeMode::kChild     ? scanning::Admission::kChildOnly
                         : options.probe == ProbeMode::kInspect ? scanning::Admission::kFileOnly
                                                                : GetAdmission(options);
  return ScanFolders(options, admission, registry, nullptr);
}

LoadReport LoadBackends(const ScanOptions& options, BackendRegistry& registry,
                        std::vector<LoadedContext>* contexts) {
  if (options.probe != ProbeMode::kInProcess || !isolation::HasRules(options)) {
    return ScanFolders(options, GetAdmission(options), registry, contexts);
  }
  // Nothing that may be isolated comes here to find out who it is.
  ScanOptions elsewhere = options;
  elsewhere.probe = ProbeMode::kChild;
  return ScanFolders(elsewhere, GetAdmission(options), registry, contexts);
}

}  // namespace backplane
