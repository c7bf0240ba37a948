#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/load_report.hpp>

#include <vector>

namespace backplane {

/// Throws kNoBackends: says where was looked, or that every backend is disabled. The causes are the
/// errors and warnings of the report, `reasons` unless they are in it, and what is disabled.
[[noreturn]] void ThrowNoBackends(const LoadReport& report, const std::vector<Diagnostic>& reasons);

}  // namespace backplane
