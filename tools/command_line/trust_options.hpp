#pragma once

#include <backplane/host/trust.hpp>

#include <CLI/CLI.hpp>

namespace backplane::command_line {

/// Adds --trust and --digests.
void AddTrustOptions(CLI::App& app, TrustOptions& options);

}  // namespace backplane::command_line
