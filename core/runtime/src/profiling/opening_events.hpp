#pragma once

#include <backplane/host/load_report.hpp>
#include <backplane/runtime/profiling.hpp>

namespace backplane::profiling {

/// Adds the stages in which code of backends ran in this process since the profile began, one lane
/// for each file.
void AddOpenings(const LoadReport& report, Profile& profile);

}  // namespace backplane::profiling
