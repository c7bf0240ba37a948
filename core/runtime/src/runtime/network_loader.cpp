#include "runtime/network_loader.hpp"

#include "profiling/span.hpp"

#include <utility>

namespace backplane {

void NetworkLoader::Load(std::shared_ptr<const OptimizedNetwork> network,
                         std::shared_ptr<GivenTensors> given,
                         const std::shared_ptr<LoadedEntry>& entry,
                         const std::function<void()>& publish) const {
  const OptimizedNetworkParts& parts = network->GetParts();
  profiling::Recorder* const recorder = parts.device.GetRecorder();
  const profiling::Span span(recorder, ProfileEventKind::kLoad, "load", parts.network.graph.name);
  entry->contexts = GetUsedContexts(parts.backends);
  // Backends that are opened at first use are open now.
  for (const auto& backend : parts.backends) {
    if (profiling_ == nullptr) break;
    profiling_->StartLate(parts.device.GetRegistry(), backend->id, backend->GetContext());
  }
  LoadAnnouncement announcement(entry->contexts, entry->id_for_contexts);
  announcement.Begin();
  const profiling::Span phase(recorder, ProfileEventKind::kPhase, "make workloads");
  entry->network = std::make_unique<LoadedNetwork>(std::move(network), entry->id, std::move(given));
  if (profiling_ != nullptr) entry->network->StartProfiling(profiling_->GetRecorder());
  if (checks_ != kNoChecks || tensor_observer_) {
    entry->network->StartChecks(checks_, tensor_observer_);
  }
  if (has_crash_notes_) entry->network->StartCrashNotes();
  publish();
  announcement.SetLoaded();
}

}  // namespace backplane
