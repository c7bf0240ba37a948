#pragma once

#include <string>

namespace backplane::execute_network {

/// Writes what an option asks for into its file. `option`: "--dot"; `what`: "the plan".
/// Errors: DiagnosticException with kOutputUnwritable.
void WriteResultFile(const std::string& option, const std::string& what, const std::string& path,
                     const std::string& text);

}  // namespace backplane::execute_network
