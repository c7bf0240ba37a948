#pragma once

/// The options of the commands that look for backends.

#include <backplane/host/configuration.hpp>
#include <backplane/host/scan.hpp>
#include <backplane/host/trust.hpp>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace backplane::command_line {

/// Adds --timeout, --refresh, --no-cache and --allow-intrusive, for the processes in which backends
/// run first.
void AddProbeOptions(CLI::App& app, ProbeSettings& settings);

/// Adds --trust and --digests.
void AddTrustOptions(CLI::App& app, TrustOptions& options);

/// Adds --variant. Relative paths become absolute.
void AddVariantOptions(CLI::App& app, std::vector<VariantPin>& pins);

/// Adds --user.
void AddUserOption(CLI::App& app, UserBackends& user_backends);

/// A line for each variable that a command reads, for its help.
std::string DescribeVariables();

}  // namespace backplane::command_line
