#pragma once

#include "optimization/optimized_network.hpp"

#include <memory>
#include <string>

namespace backplane {

/// Places a network again, as it was asked for, but gives nothing to a backend that failed. That is
/// its refusal of every layer, for `reason`. What it gives cannot be placed again itself.
/// Errors: as Optimize. `parts.source` must not be null.
std::shared_ptr<const OptimizedNetwork> PlaceElsewhere(const OptimizedNetworkParts& parts,
                                                       const std::string& failed_backend,
                                                       const std::string& reason);

}  // namespace backplane
