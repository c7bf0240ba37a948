#include "queueing/run_queue.hpp"

#include <algorithm>

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
std::vector<RunQueue::Run> RunQueue::Take(const Wanted& is_wanted) {
  std::vector<Run> taken;
  for (auto at = runs_.begin(); at != runs_.end();) {
    if (!is_wanted(*at->second)) {
      ++at;
      continue;
    }
    taken.push_back(at->second);
    at = runs_.erase(at);
  }
  return taken;
}

std::vector<RunQueue::Run> RunQueue::TakeStopped(RunLimit::Time now) {
  return Take([now](const QueuedRun& run) { return run.limit.Check(now) != RunStop::kNone; });
}

std::vector<RunQueue::Run> RunQueue::TakeAllOf(NetworkId network) {
  return Take([network](const QueuedRun& run) { return run.network == network; });
}

std::vector<RunQueue::Run> RunQueue::TakeAll() {
  return Take([](const QueuedRun&) { return true; });
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
