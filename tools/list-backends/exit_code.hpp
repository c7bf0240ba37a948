#pragma once

#include "command_line/usage.hpp"

#include <backplane/host/load_report.hpp>

#include <vector>

namespace backplane::list_backends {

constexpr int kExitUsable = 0;        // at least one usable, none rejected
constexpr int kExitSomeRejected = 1;  // some usable, some rejected
constexpr int kExitNoneUsable = 2;    // none usable, or what was asked for could not be done
constexpr int kExitUsage = command_line::kExitUsage;

/// What the command ends with. Usable is what was loaded, or inspected when no more was asked for.
int GetExitCode(const LoadReport& report);

/// The warnings of search paths, settings and files that were not skipped, in the order of the
/// report.
std::vector<Diagnostic> CollectWarnings(const LoadReport& report);

}  // namespace backplane::list_backends
