/// list-backends: the operator's command. Finds backends and says what is wrong with those that
/// cannot be used.

#include "exit_code.hpp"
#include "explain_view.hpp"
#include "options.hpp"
#include "result_stream.hpp"
#include "scan_request.hpp"
#include "table_view.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/scan.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace {

using namespace backplane;
using namespace backplane::list_backends;

void StartLogging(const Options& options) {
  const char* variable = secure_getenv("BACKPLANE_LOG");
  std::string levels = options.log_level;
  if (levels.empty() && variable != nullptr) levels = variable;
  if (levels.empty() && !options.log_file.empty()) levels = "info";
  if (!levels.empty()) EnableLogging(levels, LogDestination{options.log_file});
}

std::string Show(const LoadReport& report, const Options& options, const Terminal& terminal) {
  if (options.format == Format::kJson) return ToJson(report) + '\n';
  if (options.explain.empty()) return ShowTable(report, options.skipped_files, terminal);
  std::string text;
  for (const Candidate& candidate : report.candidates) {
    if (!text.empty()) text += '\n';
    text += ShowLadder(candidate, terminal);
  }
  return text;
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
  return true;
}

int Run(const Options& options, const ResultStream& results) {
  StartLogging(options);
  LoadReport report = Scan(MakeScanRequest(options));
  if (!options.explain.empty() && !KeepExplained(report, options.explain)) return kExitNoneUsable;
  const Terminal terminal = DescribeTerminal(results.GetDescriptor());
  const int error = results.Write(Show(report, options, terminal));
  if (error != 0) {
    std::fprintf(stderr, "list-backends: results could not be written: %s\n", strerror(error));
    return kExitNoneUsable;
  }
  return GetExitCode(report);
}

}  // namespace

int main(int argc, char** argv) {
  const ParsedCommandLine parsed = ParseCommandLine(argc, argv);
  if (!parsed.options) {
    std::fprintf(parsed.exit_code == kExitUsable ? stdout : stderr, "%s\n", parsed.text.c_str());
    return parsed.exit_code;
  }
  try {
    return Run(*parsed.options, ResultStream());
  } catch (const DiagnosticException& exception) {
    // Only what the options ask of logging can fail.
    std::fprintf(stderr, "list-backends: %s\n", exception.what());
    return kExitUsage;
  }
}
