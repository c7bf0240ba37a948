#pragma once

#include <backplane/host/diagnostic.hpp>

#include <vector>

namespace CLI {
class App;
}

namespace backplane::command_line {

/// What a command that would have succeeded ends with because of --fail-on-warning.
constexpr int kExitWarned = 4;

enum class WarningPolicy { kTell, kFail };

/// Adds --fail-on-warning.
void AddFailOnWarning(CLI::App& app, WarningPolicy& policy);

/// kWarningsFail, which names each warning. There is at least one.
Diagnostic DescribeWarnings(const std::vector<Diagnostic>& warnings);

}  // namespace backplane::command_line
