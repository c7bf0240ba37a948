#include "loading/network_fallback.hpp"

#include "loading/fallback_words.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/system_refusal.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

namespace backplane {

namespace {

bool HasBackend(const LoadedNetwork& placed, const std::string& backend_id) {
  const auto& backends = placed.GetParts().backends;
  return std::any_of(backends.begin(), backends.end(),
                     [&](const auto& backend) { return backend->id == backend_id; });
}

}  // namespace

std::shared_ptr<LoadedPlacement> StagePlacements::Get() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return current_;
}

std::vector<std::shared_ptr<LoadedPlacement>> StagePlacements::GetAll() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::shared_ptr<LoadedPlacement>> all = replaced_;
  all.push_back(current_);
  return all;
}

void StagePlacements::Replace(std::shared_ptr<LoadedPlacement> placement) {
  const std::lock_guard<std::mutex> lock(mutex_);
  replaced_.push_back(std::exchange(current_, std::move(placement)));
}

void StagePlacements::DropUnused() {
  std::vector<std::shared_ptr<LoadedPlacement>> unused;  // unloaded without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto is_used = [](const std::shared_ptr<LoadedPlacement>& placement) {
    return placement.use_count() > 1 || !(**placement).AwaitLeftRuns(RunLimit::Time::min());
  };
  const auto first = std::stable_partition(replaced_.begin(), replaced_.end(), is_used);
  std::move(first, replaced_.end(), std::back_inserter(unused));
  replaced_.erase(first, replaced_.end());
}

RunStop NetworkFallback::PlaceAgain(StagePlacements& placements, const RunLimit* limit) {
  std::unique_lock<std::mutex> lock(mutex_);
  const RunStop stop = AwaitPlacing(lock, limit);
  const std::shared_ptr<LoadedPlacement> lost = placements.Get();
  if (stop != RunStop::kNone || !(**lost).HasLostProcess()) return stop;
  ExcludedBackends excluded = FindExcluded();
  const State before = std::exchange(state_, State::kPlacing);
  lock.unlock();
  std::exception_ptr thrown;
  try {
    auto network = backplane::PlaceAgain((**lost).GetOptimized(), std::move(excluded));
    placements.Replace(
        loader_.Load(std::move(network), loader_.MakeId(), records_, placements.GetPlaces()));
  } catch (...) {
    thrown = std::current_exception();
  }
  lock.lock();
  state_ = before;
  is_placed_.notify_all();
  if (thrown) std::rethrow_exception(thrown);
  return RunStop::kNone;
}

FallbackAnswer NetworkFallback::PlaceElsewhere(StagePlacements& placements,
                                               const LoadedPlacement& failed,
                                               const std::string& backend_id,
                                               const Diagnostic& failure, const RunLimit* limit) {
  std::unique_lock<std::mutex> lock(mutex_);
  const RunStop stop = AwaitPlacing(lock, limit);
  if (stop != RunStop::kNone) return {stop, {}};
  if (auto answer = Answer(placements, failed, backend_id)) return std::move(*answer);
  const State before = std::exchange(state_, State::kPlacing);
  lock.unlock();
  Attempt attempt = TryToPlace(placements, failed, backend_id, failure);
  lock.lock();
  state_ = attempt.state != State::kUntried ? attempt.state : before;
  is_placed_.notify_all();
  if (attempt.state == State::kUntried) {
    const bool is_over = limit != nullptr && IsOfRunEnd(attempt.outcome);
    if (is_over) return {limit->Check(std::chrono::steady_clock::now()), {}};
    return {RunStop::kNone, std::move(attempt.outcome)};
  }
  const bool is_placed = state_ == State::kPlaced;
  Keep(std::move(attempt), backend_id, failure);
  if (is_placed) return {};
  return {RunStop::kNone, outcome_};
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

std::optional<FallbackAnswer> NetworkFallback::Answer(const StagePlacements& placements,
                                                      const LoadedPlacement& failed,
                                                      const std::string& backend_id) const {
  if (state_ == State::kImpossible) return FallbackAnswer{RunStop::kNone, outcome_};
  // A placement that is new only because a process ended may have the backend again.
  if (!HasBackend(**placements.Get(), backend_id)) return FallbackAnswer{};
  if (state_ == State::kUntried || backend_id == failed_backend_) return std::nullopt;
  return FallbackAnswer{RunStop::kNone,
                        DescribePlacedBefore((*failed).GetName(), backend_id, failed_backend_)};
}

NetworkFallback::Attempt NetworkFallback::TryToPlace(StagePlacements& placements,
                                                     const LoadedPlacement& failed,
                                                     const std::string& backend_id,
                                                     const Diagnostic& failure) const noexcept {
  try {
    return {State::kPlaced, Load(placements, failed, backend_id, failure)};
  } catch (const DiagnosticException& exception) {
    const Diagnostic& thrown = exception.GetDiagnostic();
    const bool is_settled = thrown.code != DiagnosticCode::kOutOfMemory && !IsOfRunEnd(thrown);
    return {is_settled ? State::kImpossible : State::kUntried,
            DescribeNotPlaced((*failed).GetName(), backend_id, thrown)};
  } catch (const std::bad_alloc&) {
    return {State::kUntried, DescribeOutOfMemory("the network could not be placed elsewhere")};
  }
}

Diagnostic NetworkFallback::Load(StagePlacements& placements, const LoadedPlacement& failed,
                                 const std::string& backend_id, const Diagnostic& failure) const {
  const OptimizedNetwork& before = (*failed).GetOptimized();
  const PlacementSource& source = *before.GetParts().source;
  auto network = PlaceGraph({source.graph, source.preferences, source.options},
                            before.GetParts().device, {{backend_id, DescribeExclusion(failure)}});
  Diagnostic outcome =
      DescribePlacedElsewhere(before.GetPlacement(), network->GetPlacement(), backend_id, failure);
  placements.Replace(
      loader_.Load(std::move(network), loader_.MakeId(), records_, placements.GetPlaces()));
  return outcome;
}

void NetworkFallback::Keep(Attempt attempt, const std::string& backend_id,
                           const Diagnostic& failure) {
  if (outcome_) return;  // of a stage before
  failed_backend_ = backend_id;
  exclusion_ = DescribeExclusion(failure);
  outcome_ = std::move(attempt.outcome);
  if (state_ == State::kPlaced) {
    Log("runtime", LogLevel::kWarning, ToText(*outcome_));
  } else {
    first_failure_ = failure;
  }
}

ExcludedBackends NetworkFallback::GetExcluded() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return FindExcluded();
}

ExcludedBackends NetworkFallback::FindExcluded() const {
  if (failed_backend_.empty()) return {};
  return {{failed_backend_, exclusion_}};
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
