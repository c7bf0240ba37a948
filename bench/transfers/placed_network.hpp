#pragma once

#include "graph/graph.hpp"
#include "placement/kind_table.hpp"

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/optimize.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// A network on backends, with the plan that Optimize made, and what else is asked for a plan.
struct PlacedNetwork {
  std::shared_ptr<const backplane::IOptimizedNetwork> optimized;
  backplane::Graph graph;                       // as it was given
  std::vector<std::uint32_t> backend_of_layer;  // by layer id; kCoreBackend for the core
  backplane::NetworkKinds kinds;                // as the backends register them
};

/// Optimises a network. Its hints say where its layers run.
/// Errors: as Optimize; std::runtime_error when a backend changed its part of the network, as the
/// plans would not be for the same graph.
PlacedNetwork PlaceNetwork(const backplane::INetwork& network,
                           const std::vector<std::string>& backends,
                           const backplane::DeviceSpec& device);

}  // namespace bench
