#include "command_line/fail_on_warning.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace backplane::command_line {

void AddFailOnWarning(CLI::App& app, WarningPolicy& policy) {
  app.add_flag_callback(
      "--fail-on-warning", [&policy] { policy = WarningPolicy::kFail; },
      "End with 4 instead of 0 when there is a warning");
}

Diagnostic DescribeWarnings(const std::vector<Diagnostic>& warnings) {
  Diagnostic diagnostic{DiagnosticCode::kWarningsFail};
  diagnostic.subject = {SubjectKind::kOption, "--fail-on-warning"};
  diagnostic.what = warnings.size() == 1
                        ? "there is a warning"
                        : "there are " + std::to_string(warnings.size()) + " warnings";
  diagnostic.why = "found ";
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    const Diagnostic& warning = warnings[i];
    diagnostic.why += (i == 0 ? "" : ", ") + GetDiagnosticId(warning.code) + ' ' +
                      GetDiagnosticName(warning.code) +
                      (warning.subject.name.empty() ? "" : " of " + warning.subject.name);
  }
  diagnostic.why += "; expected none, because --fail-on-warning was given";
  diagnostic.fix = "follow the advice of each warning, or leave out --fail-on-warning";
  return diagnostic;
}

}  // namespace backplane::command_line
