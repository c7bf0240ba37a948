#include "loading/run_descriptions.hpp"

#include "execution/run_text.hpp"
#include "graph/layer_error.hpp"
#include "loading/failed_backend.hpp"
#include "tensors/status_text.hpp"

#include <backplane/host/system_refusal.hpp>

#include <chrono>
#include <utility>

namespace backplane {

namespace {

bool HasFenceFault(const RunOutcome& outcome) {
  return outcome.fence_fault.kind != FenceFault::Kind::kNone;
}

DiagnosticCode GetFailureCode(const RunOutcome& outcome, const Layer& layer) {
  if (HasFenceFault(outcome)) return DiagnosticCode::kExecutionFailed;
  if (IsValueRefused(outcome, layer)) return DiagnosticCode::kValueRefused;
  const bool is_told = outcome.thrown && (outcome.thrown->code == DiagnosticCode::kWorkerEnded ||
                                          outcome.thrown->code == DiagnosticCode::kOutOfMemory);
  if (is_told) return outcome.thrown->code;
  if (layer.type == LayerType::kImport) return DiagnosticCode::kImportRefused;
  if (layer.type == LayerType::kCopy) return DiagnosticCode::kTransferFailed;
  return outcome.thrown ? DiagnosticCode::kBackendThrew : DiagnosticCode::kExecutionFailed;
}

const char* GetStopFix(RunStop stop) {
  return stop == RunStop::kDeadline ? "allow more time, or use a faster backend; run again"
                                    : "run again when the result is wanted after all";
}

std::string GetStopText(RunStop stop) {
  return stop == RunStop::kDeadline ? "was ended at its deadline" : "was cancelled";
}

/// How long a run took, and how long it might.
std::string DescribeTimes(const RunLimit& limit) {
  std::string text = GetTimeText(std::chrono::steady_clock::now() - limit.GetBegin());
  if (const auto deadline = limit.GetDeadline()) {
    text += "; its deadline was " + GetTimeText(*deadline - limit.GetBegin()) + " after its begin";
  }
  return text;
}

}  // namespace

Diagnostic RunDescriptions::DescribeEnd(const RunOutcome& outcome, const RunLimit* limit) const {
  if (limit == nullptr) return DescribeFailure(outcome);
  if (outcome.is_left) return DescribeLeft(outcome, *limit);
  return outcome.stop != RunStop::kNone ? DescribeStop(outcome, *limit) : DescribeFailure(outcome);
}

Diagnostic RunDescriptions::DescribeStop(const RunOutcome& outcome, const RunLimit& limit) const {
  Diagnostic diagnostic{outcome.stop == RunStop::kDeadline ? DiagnosticCode::kRunTimedOut
                                                           : DiagnosticCode::kRunCancelled};
  diagnostic.subject = {SubjectKind::kNetwork, graph_.name};
  diagnostic.what = "a run of network \"" + graph_.name + "\" " + GetStopText(outcome.stop) +
                    (outcome.is_in_step ? " in " : " before ") + DescribeStep(outcome.failed_step);
  diagnostic.why = "found " + std::to_string(outcome.failed_step) + " of " +
                   std::to_string(plan_.steps.size()) + " layers run after " + DescribeTimes(limit);
  diagnostic.fix = GetStopFix(outcome.stop);
  return diagnostic;
}

// When a layer failed, its fence may be what did not pass.
Diagnostic RunDescriptions::DescribeLeft(const RunOutcome& outcome, const RunLimit& limit) const {
  Diagnostic diagnostic{DiagnosticCode::kRunLeft};
  diagnostic.subject = {SubjectKind::kNetwork, graph_.name};
  diagnostic.what = "a run of network \"" + graph_.name + "\" " +
                    (outcome.stop != RunStop::kNone ? GetStopText(outcome.stop) : "failed") +
                    ", and work of it goes on: it had reached " + DescribeStep(outcome.failed_step);
  diagnostic.why = "found a completion fence of " +
                   DescribeLayer(graph_.layers[plan_.steps[outcome.failed_step].layer]) +
                   " that had not passed after " + DescribeTimes(limit);
  diagnostic.fix =
      "keep the memory of its inputs and outputs until UnloadNetwork has returned without a "
      "failure; look at the log of the backend";
  if (outcome.stop == RunStop::kNone) diagnostic.causes = {DescribeFailure(outcome)};
  return diagnostic;
}

Diagnostic RunDescriptions::DescribeFailure(const RunOutcome& outcome) const {
  const PlannedStep& step = plan_.steps[outcome.failed_step];
  const Layer& layer = graph_.layers[step.layer];
  const std::string who = DescribeRunner(GetBackendId(step));
  Diagnostic diagnostic{GetFailureCode(outcome, layer)};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  if (diagnostic.code == DiagnosticCode::kValueRefused) {
    diagnostic.what = DescribeFailed(outcome) + " got a value that it cannot have, on " + who;
    diagnostic.why = outcome.thrown ? outcome.thrown->why : "the backend does not say which";
    diagnostic.fix = "give the network inputs that its model is made for";
    return diagnostic;
  }
  diagnostic.what = DescribeFailed(outcome) + " failed on " + who;
  if (outcome.thrown) {
    diagnostic.why = outcome.thrown->why;
    if (step.backend != kCoreBackend) diagnostic.causes = {*outcome.thrown};
  } else if (HasFenceFault(outcome)) {
    diagnostic.why = DescribeFault(outcome.fence_fault, DescribeLayer(layer));
  } else {
    diagnostic.why = std::string("found the status \"") + DescribeStatus(outcome.status) +
                     "\"; expected \"" + GetStatusText(Status::kSuccess) + "\"";
  }
  diagnostic.fix = step.backend == kCoreBackend
                       ? "look at the logs of the backends between which the tensor moves; run "
                         "again, or place the layers on one backend"
                       : "look at the log of channel backend." + GetBackendId(step) +
                             "; run again, or prefer another backend for this layer";
  if (outcome.thrown && outcome.thrown->code == DiagnosticCode::kOutOfMemory) {
    diagnostic.fix = outcome.thrown->fix;
  } else if (!outcome.thrown && outcome.status == Status::kOutOfMemory) {
    const Diagnostic refused = DescribeOutOfMemory("");
    diagnostic.why += "; " + refused.why;
    diagnostic.fix = refused.fix + ", or prefer another backend for this layer";
  }
  return diagnostic;
}

std::string RunDescriptions::DescribeFailed(const RunOutcome& outcome) const {
  const std::string first = DescribeLayer(graph_.layers[plan_.steps[outcome.failed_step].layer]);
  if (outcome.last_failed_step <= outcome.failed_step) return first;
  return "one of those from " + first + " to " +
         DescribeLayer(graph_.layers[plan_.steps[outcome.last_failed_step].layer]);
}

RunInProgress RunDescriptions::DescribePlace(const RunPlace& place, NetworkId id) const {
  RunInProgress run;
  run.network = id;
  run.network_name = graph_.name;
  run.phase = place.phase;
  run.since = place.since;
  run.deadline = place.deadline;
  if (place.phase == RunPhase::kTensors) return run;
  const PlannedStep& step = plan_.steps[place.step];
  run.layer = DescribeLayer(graph_.layers[step.layer]);
  run.backend_id = GetBackendId(step);
  return run;
}

std::string RunDescriptions::DescribeStep(std::size_t step) const {
  return DescribeLayer(graph_.layers[plan_.steps[step].layer]) + " on " +
         DescribeRunner(GetBackendId(plan_.steps[step]));
}

const std::string& RunDescriptions::GetBackendId(const PlannedStep& step) const {
  static const std::string kCoreId;
  return step.backend == kCoreBackend ? kCoreId : backends_[step.backend].backend->id;
}

}  // namespace backplane
