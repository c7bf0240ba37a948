#pragma once

#include "profiling/runtime_profiling.hpp"
#include "runtime/network_runs.hpp"

#include <backplane/runtime/optimize.hpp>

#include <memory>
#include <vector>

namespace backplane {

/// What runs that hang use of a runtime that goes before them.
struct HangingParts {
  std::vector<std::shared_ptr<LoadedEntry>> networks;
  std::shared_ptr<NetworkRuns> runs;
  DeviceSpec device;  // with the contexts and the libraries
  std::unique_ptr<profiling::RuntimeProfiling> profiling;
};

/// Keeps them until the process ends: code that is never left must stay. [any thread]
void KeepForGood(HangingParts parts);

}  // namespace backplane
