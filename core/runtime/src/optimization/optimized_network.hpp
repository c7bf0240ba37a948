#pragma once

#include "assignment/network_backend.hpp"
#include "network/graph.hpp"

#include <backplane/runtime/optimize.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {

/// What Optimize made: a graph, and a backend for each of its operators.
struct OptimizedNetworkParts {
  // In reverse order of destruction: what was compiled is in the graph, and goes before the
  // backends' contexts.
  DeviceSpec device;  // of the runtime it was optimised for; has the contexts
  std::vector<std::shared_ptr<const NetworkBackend>> backends;  // those that have layers
  Graph graph;
  Placement placement;
  std::vector<std::uint32_t> backend_of_layer;  // by layer id: index in `backends`, for operators
};

/// The one implementation of IOptimizedNetwork.
class OptimizedNetwork final : public IOptimizedNetwork {
 public:
  explicit OptimizedNetwork(OptimizedNetworkParts parts);

  const Placement& GetPlacement() const override { return parts_.placement; }
  std::vector<NetworkBinding> GetInputs() const override;
  std::vector<NetworkBinding> GetOutputs() const override;

  const OptimizedNetworkParts& GetParts() const { return parts_; }

 private:
  OptimizedNetworkParts parts_;
};

}  // namespace backplane
