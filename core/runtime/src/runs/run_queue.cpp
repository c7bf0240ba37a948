#include "runs/run_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane {

void RunQueue::Push(Run run) {
  const std::int64_t rank = -std::int64_t{run->priority};
  runs_.emplace(std::make_pair(rank, ++last_number_), std::move(run));
}

RunQueue::Run RunQueue::Pop() {
  Run run = std::move(runs_.begin()->second);
  runs_.erase(runs_.begin());
  return run;
}

template <typename Wanted>
RunQueue::Runs RunQueue::Take(const Wanted& is_wanted) noexcept {
  Runs taken;
  for (auto at = runs_.begin(); at != runs_.end();) {
    const auto next = std::next(at);
    if (is_wanted(*at->second)) taken.insert(runs_.extract(at));
    at = next;
  }
  return taken;
}

RunQueue::Runs RunQueue::TakeStopped(RunLimit::Time now) noexcept {
  return Take([now](const QueuedRun& run) { return run.limit.Check(now) != RunStop::kNone; });
}

RunQueue::Runs RunQueue::TakeAllOf(NetworkId network) noexcept {
  return Take([network](const QueuedRun& run) { return run.network == network; });
}

RunQueue::Runs RunQueue::TakeAll() noexcept {
  Runs taken;
  taken.swap(runs_);
  return taken;
}

RunLimit::Time RunQueue::GetNextLook(RunLimit::Time now) const {
  RunLimit::Time next = RunLimit::Time::max();
  for (const auto& entry : runs_) {
    const RunLimit& limit = entry.second->limit;
    next = std::min(next, limit.GetDeadline().value_or(RunLimit::Time::max()));
    if (limit.GetCancellation().CanBeCancelled()) next = std::min(next, now + limit.GetWait(now));
  }
  return next;
}

}  // namespace backplane
