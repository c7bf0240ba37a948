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

namespace {

void RequireKnownExtents(const INetwork& network) {
  const auto& own = static_cast<const Network&>(network);
  if (!own.IsOpen()) return;
  Diagnostic diagnostic{DiagnosticCode::kStageFailed};
  diagnostic.subject = {SubjectKind::kNetwork, own.GetGraph().name};
  diagnostic.what = "a stage of network \"" + own.GetGraph().name + "\" was not made";
  diagnostic.why = "found open extents, or another source, in it; expected extents that are known";
  diagnostic.fix = "tell whoever made the source of the network";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

std::shared_ptr<const IOptimizedNetwork> OpenNetwork::OptimizeStage(INetwork& network) const {
  RequireKnownExtents(network);
  Network read(staging::DropUnread(static_cast<const Network&>(network).GetGraph()));
  if (options_.choose_hint) {
    for (const NetworkOperator& layer : read.GetOperators()) {
      read.SetBackendHint(layer.id, options_.choose_hint(layer));
    }
  }
  return Optimize(read, preferences_, device_, options_);
}

}  // namespace backplane
