/// list-backends: the operator's command. Finds backends and says what is wrong with those that
/// cannot be used.

#include "command_line/diagnostic_view.hpp"
#include "command_line/usage.hpp"
#include "command_line/watched_process.hpp"
#include "explain_view.hpp"
#include "options.hpp"
#include "scan_progress.hpp"
#include "scan_request.hpp"
#include "table_view.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/scan.hpp>
#include <backplane/host/system_refusal.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace backplane;
using namespace backplane::list_backends;

constexpr int kExitUsable = 0;        // at least one usable, none rejected
constexpr int kExitSomeRejected = 1;  // some usable, some rejected
constexpr int kExitNoneUsable = 2;    // none usable, or what was asked for could not be done
constexpr int kExitUsage = command_line::kExitUsage;

/// Standard output, kept for results alone: what plugins print while they are loaded goes to
/// standard error instead.
class ResultStream {
 public:
  /// Takes standard output over, for the rest of the process.
  ResultStream() : descriptor_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    std::fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~ResultStream() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  ResultStream(const ResultStream&) = delete;
  ResultStream& operator=(const ResultStream&) = delete;

  int GetDescriptor() const { return descriptor_; }

  /// Writes everything, or returns the number of the error (errno).
  int Write(const std::string& text) const {
    std::string_view rest = text;
    while (!rest.empty()) {
      const ssize_t written = write(descriptor_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }

 private:
  int descriptor_;
};

bool IsNotFound(const Candidate& candidate) {
  return std::any_of(candidate.diagnostics.begin(), candidate.diagnostics.end(),
                     [](const Diagnostic& diagnostic) {
                       return diagnostic.code == DiagnosticCode::kFileNotFound;
                     });
}

bool IsPathMissing(const LoadReport& report) {
  const bool is_directory_missing = std::any_of(
      report.search_paths.begin(), report.search_paths.end(), [](const SearchPathReport& path) {
        return path.source == PathSource::kArgument && !path.is_scanned;
      });
  return is_directory_missing ||
         std::any_of(report.candidates.begin(), report.candidates.end(), IsNotFound);
}

void AddWarnings(const std::vector<Diagnostic>& diagnostics, std::vector<Diagnostic>& warnings) {
  std::copy_if(
      diagnostics.begin(), diagnostics.end(), std::back_inserter(warnings),
      [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kWarning; });
}

/// The warnings of search paths, settings and files that were not skipped, in the order of the
/// report.
std::vector<Diagnostic> CollectWarnings(const LoadReport& report) {
  std::vector<Diagnostic> warnings;
  AddWarnings(report.configuration.diagnostics, warnings);
  for (const SearchPathReport& path : report.search_paths) AddWarnings(path.diagnostics, warnings);
  for (const Candidate& candidate : report.candidates) {
    if (candidate.status == CandidateStatus::kSkipped) continue;
    AddWarnings(candidate.diagnostics, warnings);
  }
  AddWarnings(report.diagnostics, warnings);
  if (report.joint_run) AddWarnings(report.joint_run->diagnostics, warnings);
  return warnings;
}

/// What the command ends with. Usable is what was loaded, or inspected when no more was asked for.
int GetExitCode(const LoadReport& report) {
  const std::size_t usable = CountCandidates(report, CandidateStatus::kLoaded) +
                             CountCandidates(report, CandidateStatus::kInspected);
  const bool is_pin_unmet = !report.diagnostics.empty();
  if (usable == 0 || is_pin_unmet || IsPathMissing(report)) return kExitNoneUsable;
  return CountCandidates(report, CandidateStatus::kRejected) > 0 ? kExitSomeRejected : kExitUsable;
}

std::string Show(const LoadReport& report, const std::vector<std::string>& files,
                 const Options& options, const command_line::Terminal& terminal) {
  if (options.format == Format::kJson) return ToJson(report) + '\n';
  if (options.explain.empty()) return ShowTable(report, files, options.skipped_files, terminal);
  std::string text;
  auto shown = command_line::ShownDiagnostics::kNone;
  for (const Candidate& candidate : report.candidates) {
    if (!text.empty()) text += '\n';
    text += ShowLadder(candidate, report.search_paths, terminal);
    if (!candidate.diagnostics.empty()) shown = command_line::ShownDiagnostics::kSome;
  }
  text += ShowVariants(report, terminal);
  if (shown == command_line::ShownDiagnostics::kSome) text += '\n';
  return text + command_line::ShowDiagnosticsPage(shown);
}

bool HasId(const LoadReport& report, const std::string& id) {
  return std::any_of(report.candidates.begin(), report.candidates.end(),
                     [&](const Candidate& candidate) {
                       return candidate.identity && candidate.identity->id == id;
                     });
}

/// Leaves only what is to be explained. False: there is no such file or backend.
bool KeepExplained(LoadReport& report, const std::string& file_or_id) {
  std::vector<Candidate> selected = SelectCandidates(report, file_or_id);
  if (selected.empty()) {
    const std::string nearest = FindNearestName(file_or_id, GetSelectableNames(report));
    std::fprintf(stderr, "list-backends: nothing found is called \"%s\"%s\n",
                 EscapeForDisplay(file_or_id).c_str(),
                 nearest.empty()
                     ? "; list-backends --all shows everything that was looked at"
                     : ("; did you mean \"" + EscapeForDisplay(nearest) + "\"?").c_str());
    return false;
  }
  report.candidates = std::move(selected);
  const auto is_of_others = [&](const auto& of_one_id) { return !HasId(report, of_one_id.id); };
  auto& variants = report.variants;
  variants.erase(std::remove_if(variants.begin(), variants.end(), is_of_others), variants.end());
  return true;
}

/// Scans in a process that code of backends may end, and takes back what they change in it.
LoadReport ScanWatched(ScanOptions request, command_line::WatchedProcess& process) {
  request.before_opening = [&process](const std::string& path) { process.BeginFile(path); };
  LoadReport report = Scan(request);
  process.Begin("while the results were written");
  if (const auto warning = process.GetWarning()) command_line::PrintDiagnostic(*warning);
  return report;
}

/// Scans without code of backends in this process, and shows how far it is where no log is shown.
LoadReport ScanAndShow(ScanOptions request, const Options& options) {
  ScanProgress progress;
  const bool has_log = options.log.file.empty() && IsLogEnabled("discovery", LogLevel::kError);
  if (!has_log) request.on_step = [&progress](const ScanStep& step) { progress.Take(step); };
  return Scan(request);
}

/// Null: without `process`, no code of a backend runs here.
int List(const Options& options, const ResultStream& results,
         command_line::WatchedProcess* process) {
  command_line::StartLogging(options.log, options.log.file.empty() ? "" : "info");
  const ScanOptions request = MakeScanRequest(options);
  LoadReport report =
      process != nullptr ? ScanWatched(request, *process) : ScanAndShow(request, options);
  if (!options.explain.empty() && !KeepExplained(report, options.explain)) return kExitNoneUsable;
  const command_line::Terminal terminal = command_line::DescribeTerminal(results.GetDescriptor());
  const int error = results.Write(Show(report, request.files, options, terminal));
  if (error != 0) {
    std::fprintf(stderr, "list-backends: results could not be written: %s\n", strerror(error));
    return kExitNoneUsable;
  }
  const int exit_code = GetExitCode(report);
  if (options.warnings != command_line::WarningPolicy::kFail || exit_code != kExitUsable) {
    return exit_code;
  }
  const std::vector<Diagnostic> warnings = CollectWarnings(report);
  if (warnings.empty()) return exit_code;
  command_line::PrintDiagnostic(command_line::DescribeWarnings(warnings));
  return command_line::kExitWarned;
}

int Run(const Options& options, const ResultStream& results,
        command_line::WatchedProcess* process) {
  try {
    return List(options, results, process);
  } catch (const std::bad_alloc&) {
    command_line::PrintDiagnostic(DescribeOutOfMemory("the backends could not be looked at"));
    return kExitNoneUsable;
  }
}

int Run(const Options& options) {
  const ResultStream results;
  if (options.probe != ProbeMode::kInProcess) return Run(options, results, nullptr);
  return command_line::RunWatched(
      [&](command_line::WatchedProcess& process) { return Run(options, results, &process); },
      [](const Diagnostic& failure) {
        command_line::PrintDiagnostic(failure);
        return kExitNoneUsable;
      },
      options.warnings);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto options = ParseOptions(argc, argv);
    return options ? Run(*options) : kExitUsable;
  } catch (const DiagnosticException& exception) {
    // Only what the options ask for can fail.
    command_line::PrintDiagnostic(exception.GetDiagnostic());
    return kExitUsage;
  }
}
