#include <backplane/host/diagnostic.hpp>

#include "command_line/log_options.hpp"
#include "command_line/terminal.hpp"
#include "command_line/usage.hpp"
#include "options/options.hpp"
#include "report/failure_json.hpp"
#include "report/report.hpp"
#include "running/run.hpp"

#include <unistd.h>

#include <exception>
#include <iostream>
#include <new>
#include <optional>

namespace backplane::execute_network {
namespace {

enum ExitCode { kAgreed = 0, kDiffered = 1, kCouldNotRun = 2, kUsage = command_line::kExitUsage };

constexpr char kDefaultLogLevels[] = "warning";

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

Diagnostic DescribeDifferences(const Report& report) {
  const Verdict verdict = Judge(report);
  Diagnostic diagnostic{DiagnosticCode::kResultsDiffer};
  diagnostic.subject = {SubjectKind::kModel, report.model};
  diagnostic.what = std::to_string(verdict.num_different) + " of " +
                    std::to_string(verdict.num_compared) + " outputs of " + report.model +
                    " differ from what was expected";
  diagnostic.fix = "compare with another backend (--backends), or allow more (--atol, --rtol)";
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

int Execute(const Options& options) {
  command_line::StartLogging(options.log, kDefaultLogLevels);
  const Report report = RunModel(options);
  PrintReport(options, report);
  if (Judge(report).num_different == 0) return kAgreed;
  command_line::PrintDiagnostic(DescribeDifferences(report));
  return kDiffered;
}

/// What an exception that carries no diagnostic says.
Diagnostic DescribeException(const std::exception& exception) {
  const bool is_memory = dynamic_cast<const std::bad_alloc*>(&exception) != nullptr;
  Diagnostic diagnostic{is_memory ? DiagnosticCode::kOutOfMemory
                                  : DiagnosticCode::kExecutionFailed};
  diagnostic.what = "the model could not be run";
  diagnostic.why = exception.what();
  diagnostic.fix = is_memory ? "give smaller inputs, or free memory" : "run with --log-level debug";
  return diagnostic;
}

/// `options`: null when they could not be read; then nobody can say that JSON is expected.
int Fail(const Options* options, const Diagnostic& diagnostic) {
  command_line::PrintDiagnostic(diagnostic);
  if (options != nullptr && options->format == ReportFormat::kJson) {
    std::cout << MakeFailureJson(options->model, diagnostic) << std::flush;
  }
  return command_line::IsUsageError(diagnostic) ? kUsage : kCouldNotRun;
}

int Main(int argc, char** argv) {
  std::optional<Options> options;
  try {
    options = ParseOptions(argc, argv);
    return options ? Execute(*options) : kAgreed;
  } catch (const DiagnosticException& exception) {
    return Fail(options ? &*options : nullptr, exception.GetDiagnostic());
  } catch (const std::exception& exception) {
    return Fail(options ? &*options : nullptr, DescribeException(exception));
  }
}

}  // namespace
}  // namespace backplane::execute_network

int main(int argc, char** argv) {
  return backplane::execute_network::Main(argc, argv);
}
