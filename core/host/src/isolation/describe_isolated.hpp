#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

#include <vector>

namespace backplane::isolation {

/// For the report of the scan: that the backend runs in a process of its own, in which sandbox, and
/// by what that is widened.
std::vector<Diagnostic> DescribeIsolated(const Candidate& candidate, const ScanOptions& options);

}  // namespace backplane::isolation
