#pragma once

#include "execution/given_tensors.hpp"
#include "execution/run_limit.hpp"
#include "runtime/network_loader.hpp"
#include "runtime/network_table.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/fallback_report.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace backplane {

/// What is to become of a run that a backend failed.
struct FallbackAnswer {
  RunStop stop = RunStop::kNone;      // the run was over before the network was placed elsewhere
  std::optional<Diagnostic> why_not;  // kNotPlacedElsewhere. Null: it may be repeated
};

/// Places a loaded network again, once, when a backend fails while it runs. All placements of a
/// network share one.
///
/// Threads: any.
class NetworkFallback {
 public:
  NetworkFallback(const NetworkLoader& loader, std::shared_ptr<GivenTensors> given)
      : loader_(loader), given_(std::move(given)) {}

  /// Puts another placement, without `backend_id`, in the place of the one in which a run failed;
  /// or waits for the thread that does. The one that failed is in use.
  /// Null: without `limit`, as long as it takes.
  FallbackAnswer PlaceElsewhere(NetworkTable& table, LoadedEntry& failed,
                                const std::string& backend_id, const Diagnostic& failure,
                                const RunLimit* limit);

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

  Attempt TryToPlace(NetworkTable& table, LoadedEntry& failed, const std::string& backend_id,
                     const Diagnostic& failure) const noexcept;
  Diagnostic Load(NetworkTable& table, LoadedEntry& failed, const std::string& backend_id,
                  const Diagnostic& failure) const;
  /// As long as another thread places the network.
  RunStop AwaitPlacing(std::unique_lock<std::mutex>& lock, const RunLimit* limit);
  void Keep(Attempt attempt, const std::string& backend_id, const Diagnostic& failure);
  FallbackAnswer Answer(const LoadedEntry& failed, const std::string& backend_id) const;

  const NetworkLoader loader_;
  const std::shared_ptr<GivenTensors> given_;
  std::atomic<std::uint64_t> num_repeated_runs_{0};
  mutable std::mutex mutex_;
  std::condition_variable is_placed_;
  State state_ = State::kUntried;
  std::string failed_backend_;
  std::optional<Diagnostic> outcome_;
  std::optional<Diagnostic> first_failure_;  // when the network cannot be placed elsewhere
};

}  // namespace backplane
