#include "command_line/usage.hpp"

#include "command_line/diagnostic_view.hpp"
#include "command_line/terminal.hpp"

#include <unistd.h>

#include <iostream>

namespace backplane::command_line {

void ThrowUsage(const std::string& command, const std::string& option, const std::string& what,
                const std::string& why, const std::string& fix) {
  Diagnostic diagnostic{DiagnosticCode::kUsageError};
  diagnostic.subject = {SubjectKind::kOption, option};
  diagnostic.what = what;
  diagnostic.why = why;
  diagnostic.fix = fix.empty() ? "run " + command + " --help to see how it is called" : fix;
  throw DiagnosticException(diagnostic);
}

bool IsUsageError(const Diagnostic& diagnostic) {
  return diagnostic.code == DiagnosticCode::kUsageError ||
         diagnostic.code == DiagnosticCode::kUnknownOption ||
         diagnostic.code == DiagnosticCode::kInvalidOption ||
         diagnostic.code == DiagnosticCode::kInvalidLogSpecification;
}

void PrintDiagnostic(const Diagnostic& diagnostic) {
  std::cerr << ShowDiagnostic(DescribeTerminal(STDERR_FILENO), 0, diagnostic);
}

}  // namespace backplane::command_line
