#pragma once

#include <string>

namespace CLI {
class App;
}

namespace backplane::command_line {

/// What a command line says of the log.
struct LogOptions {
  std::string levels;  // as EnableLogging takes them; empty: BACKPLANE_LOG decides
  std::string file;    // empty: standard error
};

/// Adds --log-level and --log-file.
void AddLogOptions(CLI::App& app, LogOptions& options);

/// Starts the log as the command line says, else BACKPLANE_LOG, else with `default_levels`; not at
/// all when those are empty.
/// Errors: those of EnableLogging; what is wrong with BACKPLANE_LOG is said of that.
void StartLogging(const LogOptions& options, const std::string& default_levels);

}  // namespace backplane::command_line
