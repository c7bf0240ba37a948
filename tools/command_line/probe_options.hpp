#pragma once

#include <backplane/host/scan.hpp>

namespace CLI {
class App;
}

namespace backplane::command_line {

/// Adds --timeout, --refresh, --no-cache and --allow-intrusive, for the processes in which backends
/// run first.
void AddProbeOptions(CLI::App& app, ProbeSettings& settings);

}  // namespace backplane::command_line
