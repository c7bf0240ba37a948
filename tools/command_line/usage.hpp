#pragma once

#include <backplane/host/diagnostic.hpp>

#include <string>

namespace backplane::command_line {

constexpr int kExitUsage = 64;  // every command ends with this when it was called wrongly

/// What is wrong with a call. `command`: its name, for "run <command> --help"; `option`: "--format"
/// or "". An empty `fix` names the help.
/// Throws: DiagnosticException with kUsageError.
[[noreturn]] void ThrowUsage(const std::string& command, const std::string& option,
                             const std::string& what, const std::string& why,
                             const std::string& fix = "");

/// Whether a diagnostic says that the command was called wrongly.
bool IsUsageError(const Diagnostic& diagnostic);

/// Writes a diagnostic and its causes to standard error, laid out for its width.
void PrintDiagnostic(const Diagnostic& diagnostic);

}  // namespace backplane::command_line
