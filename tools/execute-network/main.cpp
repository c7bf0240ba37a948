#include <backplane/host/diagnostic.hpp>
#include <backplane/host/system_refusal.hpp>

#include "command_line/fail_on_warning.hpp"
#include "command_line/log_options.hpp"
#include "command_line/terminal.hpp"
#include "command_line/usage.hpp"
#include "command_line/watched_process.hpp"
#include "options/options.hpp"
#include "report/diagnostic_json.hpp"
#include "report/layers.hpp"
#include "report/report.hpp"
#include "running/run.hpp"

#include <unistd.h>

#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace backplane::execute_network {
namespace {

enum ExitCode {
  kAgreed = 0,
  kDiffered = 1,
  kCouldNotRun = 2,
  kGaveUp = 3,
  kWarned = command_line::kExitWarned,
  kUsage = command_line::kExitUsage
};

constexpr char kDefaultLogLevels[] = "warning";

/// One JSON object with "schema": 1, the model, and why it could not be loaded, placed or run.
std::string MakeFailureJson(const std::string& model, const std::vector<Diagnostic>& diagnostics) {
  const nlohmann::ordered_json json = {
      {"schema", 1}, {"model", EscapeForDisplay(model)}, {"diagnostics", MakeJson(diagnostics)}};
  constexpr int kIndent = 1;
  return json.dump(kIndent) + "\n";
}

void PrintReport(const Options& options, const Report& report) {
  for (const Diagnostic& warning : report.warnings) command_line::PrintDiagnostic(warning);
  std::cout << (options.format == ReportFormat::kJson
                    ? ToJson(report)
                    : ToText(report, options.is_explaining,
                             command_line::DescribeTerminal(STDOUT_FILENO)));
  std::cout.flush();
  if (std::cout) return;
  Diagnostic diagnostic{DiagnosticCode::kOutputUnwritable};
  diagnostic.what = "the results cannot be written to standard output";
  diagnostic.fix = "check where it is redirected to, and whether there is room";
  throw DiagnosticException(diagnostic);
}

/// Null: no layer that was compared differs.
const LayerComparison* FindDifferentLayers(const Report& report) {
  for (const LayerComparison& comparison : report.layers) {
    if (comparison.CountDifferent() != 0) return &comparison;
  }
  return nullptr;
}

Diagnostic DescribeDifferentLayer(const Report& report, const LayerComparison& comparison) {
  const ComparedLayer& first = *comparison.FindFirstDifferent();
  Diagnostic diagnostic{DiagnosticCode::kResultsDiffer};
  diagnostic.subject = {SubjectKind::kLayer, first.layer};
  diagnostic.what = DescribeLayer(first) + " is the first of " + report.model +
                    " that differs from " + comparison.reference +
                    (comparison.data_set.empty() ? "" : " with " + comparison.data_set);
  diagnostic.why = "output " + std::to_string(first.output) + " of \"" + first.origin +
                   "\", for the same inputs: " + first.own->difference;
  diagnostic.fix =
      "run this layer on another backend (--layer-backend), and report it to the vendor of " +
      first.backend_id;
  return diagnostic;
}

std::string AdviseOnDifferences(const Report& report) {
  if (!report.layers.empty()) return "look at the layers that were compared";
  // Layers that are made when the network runs are not compared.
  return report.stages ? "run it on another backend (--backends CpuRef)"
                       : "find the first layer that differs (--compare-layers CpuRef)";
}

Diagnostic DescribeDifferences(const Report& report) {
  const Verdict verdict = Judge(report);
  Diagnostic diagnostic{DiagnosticCode::kResultsDiffer};
  diagnostic.subject = {SubjectKind::kModel, report.model};
  diagnostic.what = std::to_string(verdict.num_different) + " of " +
                    std::to_string(verdict.num_compared) + " outputs of " + report.model +
                    " differ from what was expected";
  diagnostic.fix = AdviseOnDifferences(report) + ", or allow more (--atol, --rtol)";
  for (const OutputReport& output : report.outputs) {
    if (!output.comparison || output.comparison->is_equal) continue;
    Diagnostic cause{DiagnosticCode::kResultsDiffer};
    cause.subject = {SubjectKind::kTensor, output.name};
    cause.what = (output.data_set.empty() ? "" : output.data_set + ": ") + "output " + output.name +
                 " differs";
    cause.why = output.comparison->difference;
    diagnostic.causes.push_back(cause);
  }
  return diagnostic;
}

/// What an exception that carries no diagnostic says.
Diagnostic DescribeException(const std::exception& exception) {
  constexpr char kWhat[] = "the model could not be run";
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) return DescribeOutOfMemory(kWhat);
  Diagnostic diagnostic{DiagnosticCode::kExecutionFailed};
  diagnostic.what = kWhat;
  diagnostic.why = exception.what();
  diagnostic.fix = "run with --log-level debug";
  const auto* of_system = dynamic_cast<const std::system_error*>(&exception);
  if (of_system == nullptr) return diagnostic;
  if (const auto refusal = ExplainRefusal(of_system->code().value())) {
    diagnostic.why += "; found: " + refusal->found;
    diagnostic.fix = refusal->cure;
  }
  return diagnostic;
}

/// Says what kept the command from a verdict, behind what it warns of.
/// Null: without `options` they could not be read, and nobody can say that JSON is expected.
int Fail(const Options* options, std::vector<Diagnostic> warnings, const Diagnostic& failure) {
  for (const Diagnostic& warning : warnings) command_line::PrintDiagnostic(warning);
  command_line::PrintDiagnostic(failure);
  if (options != nullptr && options->format == ReportFormat::kJson) {
    warnings.insert(warnings.begin(), failure);
    std::cout << MakeFailureJson(options->model, warnings) << std::flush;
  }
  return command_line::IsUsageError(failure) ? kUsage : kCouldNotRun;
}

int Fail(const Options* options, std::vector<Diagnostic> warnings,
         const std::exception& exception) {
  const auto* said = dynamic_cast<const DiagnosticException*>(&exception);
  return Fail(options, std::move(warnings),
              said != nullptr ? said->GetDiagnostic() : DescribeException(exception));
}

/// A backend that failed, and what the checks and the measuring found besides notes, are warnings
/// too.
std::vector<Diagnostic> CollectAllWarnings(const Report& report) {
  std::vector<Diagnostic> warnings = report.warnings;
  for (const FallbackReport& fallback : report.fallbacks) warnings.push_back(*fallback.outcome);
  if (report.profile) {
    for (const Diagnostic& diagnostic : report.profile->diagnostics) {
      if (diagnostic.severity != Severity::kNote) warnings.push_back(diagnostic);
    }
  }
  for (const CheckReport& checks : report.checks) {
    for (const CheckFinding& finding : checks.findings) {
      if (finding.diagnostic.severity != Severity::kNote) warnings.push_back(finding.diagnostic);
    }
  }
  return warnings;
}

int EndWithoutDifference(const Options& options, const Report& report) {
  if (options.warnings != command_line::WarningPolicy::kFail) return kAgreed;
  const std::vector<Diagnostic> warnings = CollectAllWarnings(report);
  if (warnings.empty()) return kAgreed;
  command_line::PrintDiagnostic(command_line::DescribeWarnings(warnings));
  return kWarned;
}

int Execute(const Options& options, command_line::WatchedProcess& process) {
  Report report;
  const auto give_up = [&](const Diagnostic& failure) {
    process.TakeBack();
    const command_line::WatchedProcess::Results results(process);
    Fail(&options, {}, failure);
    process.End(kGaveUp);
  };
  const auto take_back = [&] {
    process.TakeBack();
    if (const auto warning = process.GetWarning()) report.warnings.push_back(*warning);
  };
  process.KeepResultsApart();
  try {
    command_line::StartLogging(options.log, kDefaultLogLevels);
    RunModel(options, process, give_up, report);
    take_back();
  } catch (const std::exception& exception) {
    take_back();
    const command_line::WatchedProcess::Results results(process);
    return Fail(&options, report.warnings, exception);
  }
  const command_line::WatchedProcess::Results results(process);
  try {
    PrintReport(options, report);
  } catch (const DiagnosticException& exception) {
    return Fail(&options, {}, exception);
  }
  if (!HasDifference(report)) return EndWithoutDifference(options, report);
  if (Judge(report).num_different != 0) {
    command_line::PrintDiagnostic(DescribeDifferences(report));
  }
  if (const LayerComparison* const layers = FindDifferentLayers(report)) {
    command_line::PrintDiagnostic(DescribeDifferentLayer(report, *layers));
  }
  return kDiffered;
}

int Main(int argc, char** argv) {
  std::optional<Options> options;
  try {
    options = ParseOptions(argc, argv);
  } catch (const std::exception& exception) {
    return Fail(nullptr, {}, exception);
  }
  if (!options) return kAgreed;
  return command_line::RunWatched(
      [&](command_line::WatchedProcess& process) { return Execute(*options, process); },
      [&](const Diagnostic& failure) { return Fail(&*options, {}, failure); }, options->warnings);
}

}  // namespace
}  // namespace backplane::execute_network

int main(int argc, char** argv) {
  return backplane::execute_network::Main(argc, argv);
}
