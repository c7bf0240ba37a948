#pragma once

#include "execution/run_limit.hpp"
#include "loading/network_loader.hpp"
#include "placement/place_graph.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/fallback_report.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// Says what becomes of a run that a backend failed.
struct FallbackAnswer {
  RunStop stop = RunStop::kNone;      // the run was over before the network was placed elsewhere
  std::optional<Diagnostic> why_not;  // kNotPlacedElsewhere. Null: it may be repeated
};

/// The placements of one stage of a loaded network: the one that runs now and, after a backend has
/// failed, those before it, until the runs in them have ended.
///
/// Threads: any.
class StagePlacements {
 public:
  StagePlacements(std::shared_ptr<LoadedPlacement> first, BindingPlaces places)
      : places_(std::move(places)),
        may_be_replaced_((**first).GetParts().source != nullptr),
        current_(std::move(first)) {}

  const BindingPlaces& GetPlaces() const { return places_; }
  bool MayBeReplaced() const { return may_be_replaced_; }

  /// The one that runs now. Never null.
  std::shared_ptr<LoadedPlacement> Get() const;
  /// The same without a look at the others, where no placement is ever replaced.
  LoadedNetwork& GetOnly() const { return **current_; }

  /// Calls `visit` with each that is loaded.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (const auto& placement : GetAll()) visit(**placement);
  }

  void Replace(std::shared_ptr<LoadedPlacement> placement);
  /// Lets go of those before that nobody uses and no work is left in.
  void DropUnused();

 private:
  std::vector<std::shared_ptr<LoadedPlacement>> GetAll() const;

  const BindingPlaces places_;
  const bool may_be_replaced_;
  mutable std::mutex mutex_;
  std::shared_ptr<LoadedPlacement> current_;
  std::vector<std::shared_ptr<LoadedPlacement>> replaced_;
};

/// Places a loaded network again: as it was, when the process of a backend has ended, and once
/// without a backend that fails while it runs. Each of its stages is placed when it is needed; new
/// ones are placed without the backend that failed.
///
/// Threads: any.
class NetworkFallback {
 public:
  NetworkFallback(const NetworkLoader& loader, NetworkRecords records, FailurePolicy policy)
      : loader_(loader), records_(std::move(records)), policy_(policy) {}

  /// Whether a run that a backend fails is repeated on others.
  bool MayPlaceElsewhere() const { return policy_ == FailurePolicy::kPlaceElsewhere; }

  /// Puts another placement in the place of one that has lost a process, or waits for the thread
  /// that does.
  /// Null: without `limit`, as long as it takes.
  /// Errors: DiagnosticException as PlaceGraph and NetworkLoader::Load.
  RunStop PlaceAgain(StagePlacements& placements, const RunLimit* limit);

  /// Puts another placement, without `backend_id`, in the place of the one in which a run failed;
  /// or waits for the thread that does.
  /// Null: without `limit`, as long as it takes.
  FallbackAnswer PlaceElsewhere(StagePlacements& placements, const LoadedPlacement& failed,
                                const std::string& backend_id, const Diagnostic& failure,
                                const RunLimit* limit);

  /// The backend that failed, if any, for stages that are placed from now on.
  ExcludedBackends GetExcluded() const;

  void CountRepeatedRun() { num_repeated_runs_.fetch_add(1, std::memory_order_relaxed); }

  /// All but the placement.
  FallbackReport GetReport() const;

 private:
  enum class State { kUntried, kPlacing, kPlaced, kImpossible };

  /// What came of trying; kUntried when it may go better the next time.
  struct Attempt {
    State state = State::kUntried;
    Diagnostic outcome{DiagnosticCode::kOutOfMemory};
  };

  Attempt TryToPlace(StagePlacements& placements, const LoadedPlacement& failed,
                     const std::string& backend_id, const Diagnostic& failure) const noexcept;
  Diagnostic Load(StagePlacements& placements, const LoadedPlacement& failed,
                  const std::string& backend_id, const Diagnostic& failure) const;
  /// With the lock.
  ExcludedBackends FindExcluded() const;
  /// As long as another thread places a stage.
  RunStop AwaitPlacing(std::unique_lock<std::mutex>& lock, const RunLimit* limit);
  void Keep(Attempt attempt, const std::string& backend_id, const Diagnostic& failure);
  /// Nothing: the stage is to be placed.
  std::optional<FallbackAnswer> Answer(const StagePlacements& placements,
                                       const LoadedPlacement& failed,
                                       const std::string& backend_id) const;

  const NetworkLoader loader_;
  const NetworkRecords records_;
  const FailurePolicy policy_;
  std::atomic<std::uint64_t> num_repeated_runs_{0};
  mutable std::mutex mutex_;
  std::condition_variable is_placed_;
  State state_ = State::kUntried;
  std::string failed_backend_;
  std::string exclusion_;  // why it gets no layers
  std::optional<Diagnostic> outcome_;
  std::optional<Diagnostic> first_failure_;  // when the network cannot be placed elsewhere
};

}  // namespace backplane
