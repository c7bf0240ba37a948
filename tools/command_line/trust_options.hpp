#pragma once

#include <backplane/host/trust.hpp>

namespace CLI {
class App;
}

namespace backplane::command_line {

/// Adds --trust and --digests.
void AddTrustOptions(CLI::App& app, TrustOptions& options);

}  // namespace backplane::command_line
