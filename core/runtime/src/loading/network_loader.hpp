#pragma once

#include "loading/loaded_network.hpp"
#include "loading/network_events.hpp"
#include "profiling/runtime_profiling.hpp"

#include <backplane/runtime/creation_options.hpp>

#include <atomic>
#include <memory>

namespace backplane {

/// A placement of a network or of one stage of it, with all that a run needs. The contexts of its
/// backends are told when it is loaded and when it goes. It goes when the work that runs have left
/// has finished, for which it waits.
class LoadedPlacement {
 public:
  /// Errors: as NetworkLoader::Load.
  LoadedPlacement(UsedContexts contexts, NetworkId id_for_contexts);
  ~LoadedPlacement();
  LoadedPlacement(const LoadedPlacement&) = delete;
  LoadedPlacement& operator=(const LoadedPlacement&) = delete;

  LoadedNetwork& operator*() const { return *network_; }
  LoadedNetwork* operator->() const { return network_.get(); }

 private:
  friend class NetworkLoader;

  const UsedContexts contexts_;
  const NetworkId id_for_contexts_;  // another one for each placement, so that their pairs match
  std::unique_ptr<LoadedNetwork> network_;  // null: it could not be made
};

/// Loads networks of one runtime. Copies make the same ids.
///
/// Threads: any.
class NetworkLoader {
 public:
  /// Borrows `profiling`. Null: it is off.
  NetworkLoader(profiling::RuntimeProfiling* profiling, const CreationOptions& options)
      : profiling_(profiling),
        checks_(options.checks),
        tensor_observer_(options.tensor_observer),
        has_crash_notes_(options.crash_notes.has_value()) {}

  /// Another one at each call: of networks, and of their placements for contexts.
  NetworkId MakeId() const { return ++*last_id_; }

  /// Makes the workloads of a network, and tells the contexts of its backends.
  /// Errors: DiagnosticException as IRuntime::LoadNetwork.
  std::shared_ptr<LoadedPlacement> Load(std::shared_ptr<const OptimizedNetwork> network,
                                        NetworkId id_for_contexts, const NetworkRecords& records,
                                        BindingPlaces places) const;

  CheckFlags GetChecks() const { return checks_; }

 private:
  profiling::RuntimeProfiling* const profiling_;
  const CheckFlags checks_;
  const TensorObserver tensor_observer_;
  const bool has_crash_notes_;
  const std::shared_ptr<std::atomic<NetworkId>> last_id_ =
      std::make_shared<std::atomic<NetworkId>>(0);
};

}  // namespace backplane
