#include "runs/queued_run.hpp"

#include "runs/run_text.hpp"

#include <backplane/host/logging.hpp>

#include <exception>
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
