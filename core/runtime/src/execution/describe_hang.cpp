#include "execution/run_text.hpp"

#include <backplane/runtime/run_in_progress.hpp>

namespace backplane {

namespace {

using std::chrono::steady_clock;

std::string DescribePhase(const RunInProgress& run) {
  switch (run.phase) {
    case RunPhase::kTensors:
      return "is between the memory of the application and that of its backends";
    case RunPhase::kLayer:
      return "is in " + run.layer + " on " + DescribeRunner(run.backend_id);
    case RunPhase::kFence:
      break;
  }
  return "waits for the work of " + run.layer + " on " + DescribeRunner(run.backend_id);
}

std::string DescribeTimes(const RunInProgress& run, steady_clock::time_point now) {
  std::string text = run.since ? "found it there for " + GetTimeText(now - *run.since)
                               : "found it there, since when is not known";
  if (run.deadline && *run.deadline <= now) {
    text += ", " + GetTimeText(now - *run.deadline) + " after its deadline";
  }
  return text + "; expected that " +
         (run.phase == RunPhase::kFence ? "its fence passes" : "it returns");
}

}  // namespace

std::string DescribeRunner(const std::string& backend_id) {
  return backend_id.empty() ? "the core" : "backend \"" + backend_id + "\"";
}

std::string GetTimeText(std::chrono::nanoseconds time) {
  using std::chrono::milliseconds;
  const auto count = std::chrono::duration_cast<milliseconds>(time).count();
  return std::to_string(count) + " ms";
}

Diagnostic DescribeHang(const RunInProgress& run) {
  Diagnostic diagnostic{DiagnosticCode::kRunHangs};
  diagnostic.subject = {SubjectKind::kNetwork, run.network_name};
  if (!run.backend_id.empty()) diagnostic.subject = {SubjectKind::kBackend, run.backend_id};
  diagnostic.what = "a run of network " + std::to_string(run.network) + " (\"" + run.network_name +
                    "\") " + DescribePhase(run) + " and has not come back";
  diagnostic.why = DescribeTimes(run, steady_clock::now());
  diagnostic.fix = run.backend_id.empty()
                       ? "look at the backends between which the tensor moves"
                       : "report it to the vendor of the backend, and prefer another one for this "
                         "layer";
  return diagnostic;
}

}  // namespace backplane
