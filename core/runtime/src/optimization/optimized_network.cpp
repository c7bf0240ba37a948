#include "optimization/optimized_network.hpp"

#include "network/bindings.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

bool HasLostProcess(const OptimizedNetworkParts& parts) {
  return std::any_of(parts.backends.begin(), parts.backends.end(),
                     [](const auto& backend) { return HasLostProcess(*backend); });
}

IOptimizedNetwork::~IOptimizedNetwork() = default;

OptimizedNetwork::OptimizedNetwork(OptimizedNetworkParts parts) : parts_(std::move(parts)) {}

std::vector<NetworkBinding> OptimizedNetwork::GetInputs() const {
  return GetInputBindings(parts_.network.graph);
}

std::vector<NetworkBinding> OptimizedNetwork::GetOutputs() const {
  return GetOutputBindings(parts_.network.graph);
}

}  // namespace backplane
