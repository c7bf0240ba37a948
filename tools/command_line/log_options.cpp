#include "command_line/log_options.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>

#include <CLI/CLI.hpp>

#include <cstdlib>

namespace backplane::command_line {
namespace {

constexpr char kVariable[] = "BACKPLANE_LOG";

std::string ReadVariable() {
  const char* value = secure_getenv(kVariable);
  return value != nullptr ? value : "";
}

// The library speaks of the option that levels usually come from.
Diagnostic BlameVariable(Diagnostic diagnostic, const std::string& levels) {
  diagnostic.subject.name = kVariable;
  diagnostic.what = std::string(kVariable) + " is \"" + levels + "\", which cannot be read";
  const bool has_suggestion = diagnostic.fix.rfind("did you mean", 0) == 0;
  if (!has_suggestion) {
    diagnostic.fix = std::string("set for example ") + kVariable + "=discovery=debug,*=warning";
  }
  return diagnostic;
}

void StartFromVariable(const std::string& levels, const std::string& file) {
  try {
    EnableLogging(levels, LogDestination{file});
  } catch (const DiagnosticException& exception) {
    const Diagnostic& diagnostic = exception.GetDiagnostic();
    if (diagnostic.code != DiagnosticCode::kInvalidLogSpecification) throw;
    throw DiagnosticException(BlameVariable(diagnostic, levels));
  }
}

}  // namespace

void AddLogOptions(CLI::App& app, LogOptions& options) {
  app.add_option("--log-level", options.levels,
                 "trace, debug, info, warning, error or off, or a\n"
                 "list such as discovery=debug,*=warning")
      ->type_name("LEVELS");
  app.add_option("--log-file", options.file, "Where the log goes; default: standard error")
      ->type_name("FILE");
}

void StartLogging(const LogOptions& options, const std::string& default_levels) {
  const std::string from_variable = options.levels.empty() ? ReadVariable() : "";
  if (!from_variable.empty()) return StartFromVariable(from_variable, options.file);
  const std::string& levels = options.levels.empty() ? default_levels : options.levels;
  if (!levels.empty()) EnableLogging(levels, LogDestination{options.file});
}

}  // namespace backplane::command_line
