#pragma once

#include <string>

namespace CLI {
class App;
}

namespace backplane::command_line {

/// "<command> 0.1.0", and below it the version of the Backend API.
std::string MakeVersionText(const std::string& command, const std::string& version);

/// Reads the command line of `app`, whose name is that of the command. False when it asked for
/// --help or --version, which are then printed.
/// Errors: DiagnosticException with kUnknownOption, which suggests the nearest, and kUsageError.
bool Parse(CLI::App& app, int argc, const char* const* argv);

}  // namespace backplane::command_line
