#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/load_report.hpp>

#include <vector>

namespace backplane {

/// Throws kNoBackends: says where was looked; the causes are the errors and warnings of the report,
/// and then `reasons`, unless they are in the report.
[[noreturn]] void ThrowNoBackends(const LoadReport& report, const std::vector<Diagnostic>& reasons);

}  // namespace backplane
