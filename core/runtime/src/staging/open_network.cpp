#include "staging/open_network.hpp"

#include "building/network.hpp"
#include "staging/drop_unread.hpp"

#include <utility>

namespace backplane {

OpenNetwork::OpenNetwork(std::shared_ptr<const INetworkSource> source,
                         std::vector<std::string> preferences, DeviceSpec device,
                         OptimizerOptions options)
    : source_(std::move(source)),
      preferences_(std::move(preferences)),
      device_(std::move(device)),
      options_(std::move(options)) {
  placement_.network = source_->GetName();
  placement_.preferences = preferences_;
  if (preferences_.empty()) placement_.preferred = device_.GetPreferredBackends();
}

std::shared_ptr<const IOptimizedNetwork> OpenNetwork::OptimizeStage(INetwork& network) const {
  RequireKnownExtents(network, DiagnosticCode::kStageFailed,
                      "a stage of network \"" + source_->GetName() + "\" was not made",
                      "tell whoever made the source of the network");
  Network read(staging::DropUnread(static_cast<const Network&>(network).GetGraph()));
  if (options_.choose_hint) {
    for (const NetworkOperator& layer : read.GetOperators()) {
      const std::string hint = options_.choose_hint(layer);
      if (!hint.empty()) read.SetBackendHint(layer.id, hint);
    }
  }
  return Optimize(read, preferences_, device_, options_);
}

}  // namespace backplane
