#include "company/company.hpp"
#include "scanning/candidate_examiner.hpp"
#include "scanning/preferred.hpp"
#include "scanning/probe_ahead.hpp"
#include "scanning/scan_plan.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/scan.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace backplane {
namespace {

constexpr std::string_view kChannel = "discovery";

company::HostProcess DescribeHost(const ScanOptions& options) {
  auto program = options.program.empty() ? std::nullopt : company::DescribeProgram(options.program);
  return program ? std::move(*program) : company::DescribeThisProcess();
}

/// Takes one plan to its report.
class ScanRun {
 public:
  ScanRun(const ScanOptions& options, scanning::Admission admission, BackendRegistry& registry,
          std::vector<LoadedContext>* contexts)
      : plan_(scanning::PlanScan(options)),
        company_(DescribeHost(options), admission == scanning::Admission::kLate
                                            ? company::OpeningOrder::kOfUse
                                            : company::OpeningOrder::kOfTheScan),
        reader_(options, company_),
        examiner_(reader_, company_, admission, options, registry, contexts) {
    if (options.probe == ProbeMode::kChild) ahead_.emplace(reader_, plan_);
  }

  LoadReport Run() {
    report_.search_paths = std::move(plan_.search_paths);
    report_.candidates.reserve(CountFiles());
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      if (plan_.steps[step].skipped) {
        report_.candidates.push_back(std::move(*plan_.steps[step].skipped));
      } else {
        RunFamily(step);
      }
    }
    company_.Conclude(report_);
    return std::move(report_);
  }

 private:
  std::size_t CountFiles() const {
    std::size_t num_files = 0;
    for (const auto& step : plan_.steps)
      num_files += std::max<std::size_t>(1, step.family.files.size());
    return num_files;
  }

  /// Goes through the versions; behind the first that can be used, the others only stand back.
  void RunFamily(std::size_t step) {
    const std::vector<scanning::PlannedFile>& files = plan_.steps[step].family.files;
    std::string chosen;
    for (std::size_t file = 0; file < files.size(); ++file) {
      if (!chosen.empty()) {
        report_.candidates.push_back(examiner_.ExamineShadowed(reader_.Open(files[file]), chosen));
        continue;
      }
      auto examination = ahead_ ? ahead_->Take(step, file) : nullptr;
      if (!examination) examination = reader_.Open(files[file]);
      report_.candidates.push_back(examiner_.Examine(std::move(examination)));
      if (scanning::StandsForFamily(report_.candidates.back().status)) chosen = files[file].path;
    }
  }

  scanning::ScanPlan plan_;
  company::Company company_;
  scanning::FileReader reader_;
  scanning::CandidateExaminer examiner_;
  std::optional<scanning::ProbeAhead> ahead_;
  LoadReport report_;
};

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

LoadReport RunScan(const ScanOptions& options, scanning::Admission admission,
                   BackendRegistry& registry, std::vector<LoadedContext>* contexts) {
  LoadReport report = ScanRun(options, admission, registry, contexts).Run();
  RememberUnusable(report, registry);
  report.configuration = {options.configuration.directory, options.configuration.diagnostics};
  scanning::CheckPreferred(options, registry, report.configuration.diagnostics);
  LogReport(report);
  return report;
}

}  // namespace

std::optional<Diagnostic> CheckProgram(const std::string& path) {
  if (company::ReadProgramFile(path)) return std::nullopt;
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
  const auto admission =
      options.probe == ProbeMode::kChild ? scanning::Admission::kChildOnly : GetAdmission(options);
  return RunScan(options, admission, registry, nullptr);
}

LoadReport LoadBackends(const ScanOptions& options, BackendRegistry& registry,
                        std::vector<LoadedContext>* contexts) {
  return RunScan(options, GetAdmission(options), registry, contexts);
}

}  // namespace backplane
