#include "runtime/network_fallback.hpp"

#include "optimization/place_elsewhere.hpp"
#include "runtime/fallback_words.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/system_refusal.hpp>

#include <chrono>
#include <new>
#include <utility>

namespace backplane {

FallbackAnswer NetworkFallback::PlaceElsewhere(NetworkTable& table, LoadedEntry& failed,
                                               const std::string& backend_id,
                                               const Diagnostic& failure, const RunLimit* limit) {
  std::unique_lock<std::mutex> lock(mutex_);
  const RunStop stop = AwaitPlacing(lock, limit);
  if (stop != RunStop::kNone) return {stop, {}};
  if (state_ != State::kUntried) return Answer(failed, backend_id);
  state_ = State::kPlacing;
  lock.unlock();
  Attempt attempt = TryToPlace(table, failed, backend_id, failure);
  lock.lock();
  state_ = attempt.state;
  is_placed_.notify_all();
  if (state_ == State::kUntried) return {RunStop::kNone, std::move(attempt.outcome)};
  Keep(std::move(attempt), backend_id, failure);
  return Answer(failed, backend_id);
}

RunStop NetworkFallback::AwaitPlacing(std::unique_lock<std::mutex>& lock, const RunLimit* limit) {
  for (;;) {
    const auto now = std::chrono::steady_clock::now();
    const RunStop stop = limit != nullptr ? limit->Check(now) : RunStop::kNone;
    if (stop != RunStop::kNone || state_ != State::kPlacing) return stop;
    if (limit != nullptr) {
      is_placed_.wait_for(lock, limit->GetWait(now));
    } else {
      is_placed_.wait(lock);
    }
  }
}

NetworkFallback::Attempt NetworkFallback::TryToPlace(NetworkTable& table, LoadedEntry& failed,
                                                     const std::string& backend_id,
                                                     const Diagnostic& failure) const noexcept {
  try {
    return {State::kPlaced, Load(table, failed, backend_id, failure)};
  } catch (const DiagnosticException& exception) {
    const Diagnostic& thrown = exception.GetDiagnostic();
    if (thrown.code == DiagnosticCode::kRunNotRepeated) return {State::kUntried, thrown};
    return {thrown.code == DiagnosticCode::kOutOfMemory ? State::kUntried : State::kImpossible,
            DescribeNotPlaced(failed.network->GetName(), backend_id, thrown)};
  } catch (const std::bad_alloc&) {
    return {State::kUntried, DescribeOutOfMemory("the network could not be placed elsewhere")};
  }
}

Diagnostic NetworkFallback::Load(NetworkTable& table, LoadedEntry& failed,
                                 const std::string& backend_id, const Diagnostic& failure) const {
  const OptimizedNetworkParts& before = failed.network->GetParts();
  auto network = backplane::PlaceElsewhere(before, backend_id, DescribeExclusion(failure));
  Diagnostic outcome =
      DescribePlacedElsewhere(before.placement, network->GetPlacement(), backend_id, failure);
  const auto entry = std::make_shared<LoadedEntry>();
  entry->id = failed.id;
  entry->id_for_contexts = table.MakeId();
  entry->fallback = failed.fallback;
  loader_.Load(std::move(network), given_, entry, [&] {
    if (table.Replace(failed, entry)) return;
    throw DiagnosticException(DescribeUnloadedMeanwhile(before.placement.network));
  });
  return outcome;
}

void NetworkFallback::Keep(Attempt attempt, const std::string& backend_id,
                           const Diagnostic& failure) {
  failed_backend_ = backend_id;
  outcome_ = std::move(attempt.outcome);
  if (state_ == State::kPlaced) {
    Log("runtime", LogLevel::kWarning, ToText(*outcome_));
  } else {
    first_failure_ = failure;
  }
}

FallbackAnswer NetworkFallback::Answer(const LoadedEntry& failed,
                                       const std::string& backend_id) const {
  if (state_ == State::kImpossible) return {RunStop::kNone, outcome_};
  if (!failed.replaced) return {};
  return {RunStop::kNone,
          DescribePlacedBefore(failed.network->GetName(), backend_id, failed_backend_)};
}

FallbackReport NetworkFallback::GetReport() const {
  FallbackReport report;
  report.num_repeated_runs = num_repeated_runs_.load(std::memory_order_relaxed);
  const std::lock_guard<std::mutex> lock(mutex_);
  report.failed_backend = failed_backend_;
  report.outcome = outcome_;
  if (first_failure_) {
    auto& causes = report.outcome->causes;
    causes.insert(causes.begin(), *first_failure_);
  }
  return report;
}

}  // namespace backplane
