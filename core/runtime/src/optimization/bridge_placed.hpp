#pragma once

#include "assignment/backend_pool.hpp"
#include "optimization/optimized_network.hpp"
#include "optimization/place_network.hpp"

namespace backplane {

/// Gives the tensors of a placed network their kinds of memory, and reports what crosses.
/// Errors: DiagnosticException with kNoTransfer, kBackendThrew or kFactoryDisagrees.
OptimizedNetworkParts BridgePlaced(PlacedNetwork network, const DeviceSpec& device,
                                   const BackendPool& pool);

}  // namespace backplane
