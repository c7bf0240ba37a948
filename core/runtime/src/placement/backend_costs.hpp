#pragma once

#include <backplane/api/backend_options.hpp>

namespace backplane {

/// What it costs to use a backend, as its capabilities state it. Times in microseconds.
struct BackendCosts {
  /// Whether tensors that come from other backends, or go there, cost anything.
  bool HasCrossings() const { return crossing_time > 0 || crossing_rate > 0; }

  double crossing_time = 0;   // of each tensor
  double crossing_rate = 0;   // bytes in a microsecond; 0: they take no time
  double launch_time = 0;     // of each layer
  double compute_rate = 1e4;  // operations in a microsecond
};

BackendCosts ReadCosts(const BackendCapabilities& capabilities);

}  // namespace backplane
