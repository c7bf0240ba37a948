#pragma once

#include "graph/bindings.hpp"
#include "placement/place_graph.hpp"
#include "placement/placed_example.hpp"

#include <backplane/runtime/network_source.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// What Optimize makes of a network whose stages are made when it runs: all that they need then.
/// Errors: as Optimize, of what does not depend on layers.
class OpenNetwork final : public IOptimizedNetwork {
 public:
  OpenNetwork(std::shared_ptr<const INetworkSource> source, std::vector<std::string> preferences,
              DeviceSpec device, OptimizerOptions options);

  const Placement& GetPlacement() const override { return placement_; }
  std::vector<NetworkBinding> GetInputs() const override {
    return ToNetworkBindings(source_->GetInputs());
  }
  std::vector<NetworkBinding> GetOutputs() const override {
    return ToNetworkBindings(source_->GetOutputs());
  }

  const std::shared_ptr<const INetworkSource>& GetSource() const { return source_; }
  const DeviceSpec& GetDevice() const { return device_; }
  const OptimizerOptions& GetOptions() const { return options_; }

  /// Takes the network of one stage, and optimises it. Its constants stay for other stages, and
  /// those that are recalculated get the numbers of what was optimised. `examples`: of
  /// stages that were optimised before; `like`: which of them this one has followed, or is.
  /// Errors: as Optimize; kStageFailed for a network with open extents.
  std::shared_ptr<const OptimizedNetwork> OptimizeStage(NetworkStage& stage,
                                                        ExcludedBackends excluded,
                                                        PlacedExamples& examples,
                                                        PlacedLike& like) const;

  /// The same of the graph of a stage that was foreseen from `like`.
  std::shared_ptr<const OptimizedNetwork> OptimizeForeseen(const Graph& graph,
                                                           PlacedExamples& examples,
                                                           PlacedLike& like) const;

 private:
  const std::shared_ptr<const INetworkSource> source_;
  const std::vector<std::string> preferences_;
  const DeviceSpec device_;
  const OptimizerOptions options_;
  Placement placement_;  // without layers
};

}  // namespace backplane
