#include "placement/optimized_network.hpp"

#include "graph/bindings.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

bool HasLostProcess(const OptimizedNetworkParts& parts) {
  return std::any_of(parts.backends.begin(), parts.backends.end(),
                     [](const auto& backend) { return HasLostProcess(*backend); });
}

IOptimizedNetwork::~IOptimizedNetwork() = default;

OptimizedNetwork::OptimizedNetwork(OptimizedNetworkParts parts) : parts_(std::move(parts)) {}

// It has texts for each layer: too much to be made for each length of a text.
const Placement& OptimizedNetwork::GetPlacement() const {
  if (!parts_.IsResized()) return parts_.placement;
  std::call_once(is_placement_made_,
                 [this] { placement_ = MakePlacement(parts_.like, parts_.placement); });
  return placement_;
}

std::vector<NetworkBinding> OptimizedNetwork::GetInputs() const {
  return GetInputBindings(parts_.network.graph);
}

std::vector<NetworkBinding> OptimizedNetwork::GetOutputs() const {
  return GetOutputBindings(parts_.network.graph);
}

}  // namespace backplane
