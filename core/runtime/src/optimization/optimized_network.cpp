#include "optimization/optimized_network.hpp"

#include "network/bindings.hpp"

#include <utility>

namespace backplane {

IOptimizedNetwork::~IOptimizedNetwork() = default;

OptimizedNetwork::OptimizedNetwork(OptimizedNetworkParts parts) : parts_(std::move(parts)) {}

std::vector<NetworkBinding> OptimizedNetwork::GetInputs() const {
  return GetInputBindings(parts_.network.graph);
}

std::vector<NetworkBinding> OptimizedNetwork::GetOutputs() const {
  return GetOutputBindings(parts_.network.graph);
}

}  // namespace backplane
