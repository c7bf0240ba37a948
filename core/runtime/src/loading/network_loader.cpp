#include "loading/network_loader.hpp"

#include "placement/place_graph.hpp"
#include "profiling/span.hpp"

#include <utility>

namespace backplane {

LoadedPlacement::LoadedPlacement(UsedContexts contexts, NetworkId id_for_contexts)
    : contexts_(std::move(contexts)), id_for_contexts_(id_for_contexts) {}

LoadedPlacement::~LoadedPlacement() {
  if (!network_) return;
  network_->AwaitLeftRuns(RunLimit::Time::max());
  AnnounceUnload(contexts_, id_for_contexts_);
  network_.reset();
  AnnounceUnloaded(contexts_, id_for_contexts_);
}

std::shared_ptr<LoadedPlacement> NetworkLoader::Load(
    std::shared_ptr<const OptimizedNetwork> network, NetworkId id_for_contexts,
    const NetworkRecords& records, BindingPlaces places) const {
  if (HasLostProcess(network->GetParts())) network = PlaceAgain(*network, {});
  const OptimizedNetworkParts& parts = network->GetParts();
  profiling::Recorder* const recorder = parts.device.GetRecorder();
  const profiling::Span span(recorder, ProfileEventKind::kLoad, "load", parts.network.graph.name);
  auto placement =
      std::make_shared<LoadedPlacement>(GetUsedContexts(parts.backends), id_for_contexts);
  // Backends that are opened at first use are open now.
  for (const auto& backend : parts.backends) {
    if (profiling_ == nullptr) break;
    profiling_->Start(parts.device.GetRegistry(), backend->id, backend->GetContext(),
                      profiling::BackendOpening::kLate);
  }
  LoadAnnouncement announcement(placement->contexts_, id_for_contexts);
  announcement.Begin();
  const profiling::Span phase(recorder, ProfileEventKind::kPhase, "make workloads");
  auto loaded = std::make_unique<LoadedNetwork>(std::move(network), records, std::move(places));
  if (profiling_ != nullptr) loaded->StartProfiling(profiling_->GetRecorder());
  if (checks_ != kNoChecks || tensor_observer_) loaded->StartChecks(checks_, tensor_observer_);
  if (has_crash_notes_) loaded->StartCrashNotes();
  placement->network_ = std::move(loaded);
  announcement.SetLoaded();
  return placement;
}

}  // namespace backplane
