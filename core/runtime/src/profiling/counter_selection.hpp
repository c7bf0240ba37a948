#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/profiling.hpp>

#include <string>
#include <vector>

namespace backplane::profiling {

/// What a backend has to offer, as far as it can be used.
struct OfferedCounters {
  std::vector<CounterDescription> counters;  // each with an id and a name of its own
  std::vector<Diagnostic> diagnostics;       // kProfilingDataRefused, for those left out
};

/// Leaves out counters without a name, and those whose id or name another has.
OfferedCounters CheckCounters(const std::string& backend_id,
                              const std::vector<CounterDescription>& counters);

/// The counters that are to be active.
/// Errors: DiagnosticException with kUnknownCounter for names that the backend does not have;
/// several are causes of one.
std::vector<CounterDescription> SelectCounters(const std::string& backend_id,
                                               const ProfilingOptions& options,
                                               const std::vector<CounterDescription>& offered);

}  // namespace backplane::profiling
