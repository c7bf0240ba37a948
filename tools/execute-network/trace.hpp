#pragma once

#include <backplane/runtime/profiling.hpp>

#include <string>

namespace backplane::execute_network {

/// Writes a Chrome trace.
/// Errors: DiagnosticException with kOutputUnwritable.
void WriteTrace(const std::string& path, const Profile& profile);

}  // namespace backplane::execute_network
