#pragma once

/// What became of a loaded network of which a backend failed while it ran.

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/placement.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace backplane {

struct FallbackReport {
  Placement placement;         // of what runs now
  std::string failed_backend;  // the first that failed; "": none has, or FailurePolicy::kFail
  /// kPlacedElsewhere, a warning, or kNotPlacedElsewhere; the causes say how the backend failed and
  /// what kept the network from being placed without it. Null: no backend has failed.
  std::optional<Diagnostic> outcome;
  std::uint64_t num_repeated_runs = 0;  // with success or not
};

}  // namespace backplane
