#pragma once

#include "graph/bridged_network.hpp"
#include "placement/assign_layers.hpp"
#include "placement/kind_table.hpp"
#include "placement/network_backend.hpp"
#include "placement/placed_example.hpp"

#include <backplane/runtime/optimize.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

/// What a network was placed from, without what plugins made.
struct PlacementSource {
  Graph graph;  // the application's; shares the constants
  std::vector<std::string> preferences;
  OptimizerOptions options;
  LayerByLayer layer_by_layer;
};

/// What Optimize made: a graph, with a backend for each of its operators and a kind of memory for
/// each tensor.
struct OptimizedNetworkParts {
  // In reverse order of destruction: what was compiled is in the graph, and goes before the
  // backends' contexts.
  DeviceSpec device;  // of the runtime it was optimised for; has the contexts
  std::vector<std::shared_ptr<const NetworkBackend>> backends;  // those that have layers
  BridgedNetwork network;
  /// By layer id of `network`, for each output the tensor of the application's network that it is;
  /// nothing for layers that the core added.
  std::vector<std::vector<OutputSlot>> output_origins;
  KindTable kinds;                                // that the network's tensors were placed in
  Placement placement;                            // of a resized network what MakePlacement takes
  std::shared_ptr<const PlacementSource> source;  // null: it is never placed again
  PlacedLike like;                                // without an example, the network was not resized
  bool IsResized() const { return like.example != nullptr; }
};

/// Whether the process of a backend has ended, and what it made for the network with it.
bool HasLostProcess(const OptimizedNetworkParts& parts);

/// The one implementation of IOptimizedNetwork.
class OptimizedNetwork final : public IOptimizedNetwork {
 public:
  explicit OptimizedNetwork(OptimizedNetworkParts parts);

  /// [any thread]
  const Placement& GetPlacement() const override;
  std::vector<NetworkBinding> GetInputs() const override;
  std::vector<NetworkBinding> GetOutputs() const override;

  const OptimizedNetworkParts& GetParts() const { return parts_; }
  /// Before anybody else has it.
  void AddWarning(Diagnostic warning) { parts_.placement.warnings.push_back(std::move(warning)); }

 private:
  OptimizedNetworkParts parts_;
  mutable std::once_flag is_placement_made_;
  mutable Placement placement_;  // of a resized network, once somebody has asked for it
};

}  // namespace backplane
