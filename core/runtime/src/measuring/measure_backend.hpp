#pragma once

#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/host/probe_program.hpp>

#include <vector>

namespace backplane::measuring {

/// Times the measured networks on a backend, in a runtime that has no other: each runs once to warm
/// up, then for some hundredths of a second. Of one that the backend does not run, it says why.
/// Errors: DiagnosticException when no runtime can be made with the backend.
std::vector<NetworkTime> MeasureBackend(const DynamicBackend& backend, const BeginNetwork& begin);

}  // namespace backplane::measuring
