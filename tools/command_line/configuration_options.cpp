#include "command_line/configuration_options.hpp"

#include <CLI/CLI.hpp>

namespace backplane::command_line {

void AddUserOption(CLI::App& app, UserBackends& user_backends) {
  app.add_flag_callback(
      "--user", [&user_backends] { user_backends = UserBackends::kSearch; },
      "Search the user's own directory of backends too:\nbackplane/backends in $XDG_DATA_HOME or "
      "~/.local/share");
}

std::string DescribeVariables() {
  return "  BACKPLANE_BACKENDS_PATH      directories that are searched first, separated by colons\n"
         "  BACKPLANE_CONFIGURATION_DIR  where drop-in files are, instead of the usual place\n"
         "  BACKPLANE_DISABLE_BACKENDS   ids or globs, separated by commas, as --disable\n"
         "  BACKPLANE_ISOLATE_BACKENDS   run in processes of their own: ids or globs, separated by "
         "commas\n"
         "  BACKPLANE_LOG                log levels, as --log-level\n"
         "  BACKPLANE_PASS_VARIABLES     variables that such processes see too, separated by "
         "commas\n"
         "  BACKPLANE_PROBE_DATA_LIMIT   MiB that a process which checks a backend may allocate\n"
         "  BACKPLANE_REFUSE_PERMISSIONS sandboxes are not widened: ids or globs, separated by "
         "commas\n"
         "  BACKPLANE_SANDBOX_BACKENDS   run in sandboxes: ids or globs, separated by commas\n"
         "  DYNAMIC_BACKEND_PATHS        instead of the directories that were compiled in\n"
         "  NO_COLOR                     no colour, also on a terminal";
}

}  // namespace backplane::command_line
