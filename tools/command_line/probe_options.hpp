#pragma once

#include <backplane/host/scan.hpp>

#include <CLI/CLI.hpp>

namespace backplane::command_line {

/// Adds --timeout, --refresh and --no-cache, for the processes in which backends run first.
void AddProbeOptions(CLI::App& app, ProbeSettings& settings);

}  // namespace backplane::command_line
