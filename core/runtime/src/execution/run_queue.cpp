#include "execution/run_queue.hpp"

#include "execution/run_text.hpp"

#include <backplane/host/logging.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <utility>

namespace backplane {
namespace {

Diagnostic MakeDiagnostic(DiagnosticCode code, NetworkId network, const std::string& what) {
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(network)};
  diagnostic.what = "an asynchronous run of network " + std::to_string(network) + " " + what;
  return diagnostic;
}

RunResult MakeDroppedResult(NetworkId network, const char* why) {
  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kRunCancelled, network, "was cancelled in the queue");
  diagnostic.why = why;
  diagnostic.fix = "wait for the handlers of runs before that, when their results are wanted";
  return {Status::kCancelled, std::move(diagnostic)};
}

void LogThrown(NetworkId network, const char* thrown) {
  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kRunHandlerThrew, network, "has ended, and its handler threw");
  diagnostic.severity = Severity::kWarning;
  diagnostic.why = std::string("found \"") + thrown + "\"; expected that nothing leaves a handler";
  diagnostic.fix = "catch what the handler does";
  Log("runtime", LogLevel::kWarning, ToText(diagnostic));
}

}  // namespace

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

QueuedRun::QueuedRun(NetworkId of_network, InputTensors given, OutputTensors taken,
                     RunHandler handler, RunLimit bounds, std::int32_t rank)
    : network(of_network),
      inputs(std::move(given)),
      outputs(std::move(taken)),
      limit(std::move(bounds)),
      priority(rank),
      handler_(std::move(handler)) {}

void QueuedRun::Tell(RunResult result) noexcept {
  if (is_told_.exchange(true)) return;
  try {
    const RunHandler handler = std::move(handler_);
    handler(std::move(result));
  } catch (const std::exception& exception) {
    LogThrown(network, exception.what());
  } catch (...) {
    LogThrown(network, "something that is no std::exception");
  }
}

RunResult MakeStopResult(NetworkId network, RunStop stop) {
  const bool is_late = stop == RunStop::kDeadline;
  Diagnostic diagnostic = MakeDiagnostic(
      is_late ? DiagnosticCode::kRunTimedOut : DiagnosticCode::kRunCancelled, network,
      is_late ? "was not begun before its deadline" : "was cancelled in the queue");
  diagnostic.why = is_late
                       ? "found its deadline passed while it was queued; expected a thread that "
                         "is free before"
                       : "found its token cancelled while it was queued";
  diagnostic.fix = is_late ? "allow more time or more threads, or give it a higher priority"
                           : "run again when the result is wanted after all";
  return {GetStatus(stop), std::move(diagnostic)};
}

RunResult MakeUnloadedResult(NetworkId network) {
  return MakeDroppedResult(network, "found its network unloaded before its turn came");
}

RunResult MakeShutDownResult(NetworkId network) {
  return MakeDroppedResult(network, "found its runtime shut down before its turn came");
}

RunResult MakeLeftResult(NetworkId network) {
  Diagnostic diagnostic = MakeDiagnostic(DiagnosticCode::kRunLeft, network,
                                         "had not returned when its runtime was shut "
                                         "down");
  diagnostic.why = "found it in a layer at the end of the time for shutting down";
  diagnostic.fix = "keep the memory of its inputs and outputs until the process ends";
  return {Status::kTimeout, std::move(diagnostic)};
}

}  // namespace backplane
