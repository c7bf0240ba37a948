#pragma once

#include <backplane/api/i_backend_context.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/export.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace backplane {

/// What a run does at the moment.
enum class RunPhase {
  kTensors,  // moves or prepares memory of the application, before the first layer or after the
             // last
  kLayer,    // is in a layer
  kFence,    // waits until the work of a layer has finished
};

/// A run that goes on.
struct RunInProgress {
  NetworkId network = 0;
  std::string network_name;
  RunPhase phase = RunPhase::kTensors;
  // Of the layer, unless the phase is kTensors.
  std::string layer;       // as messages name it, with its type: layer "conv1" (Convolution2d)
  std::string backend_id;  // "" for the core
  /// Since when it is there. Nothing for a run without bounds, which looks at no clock.
  std::optional<std::chrono::steady_clock::time_point> since;
  /// Nothing: it has none.
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

/// kRunHangs: which layer of which backend a run is in, and for how long. [any thread]
BACKPLANE_RUNTIME_API Diagnostic DescribeHang(const RunInProgress& run);

}  // namespace backplane
