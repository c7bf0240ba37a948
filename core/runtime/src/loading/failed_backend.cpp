#include "loading/failed_backend.hpp"

#include <algorithm>

namespace backplane {

namespace {

const std::string* FindSubject(const Diagnostic& thrown,
                               const std::vector<LoadedBackend>& backends) {
  if (thrown.subject.kind != SubjectKind::kBackend) return nullptr;
  const auto found = std::find_if(
      backends.begin(), backends.end(),
      [&](const LoadedBackend& loaded) { return loaded.backend->id == thrown.subject.name; });
  return found != backends.end() ? &found->backend->id : nullptr;
}

bool IsFaultOfApplication(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::kOutOfMemory:
    case DiagnosticCode::kAllocatorFailed:
    case DiagnosticCode::kForked:
    case DiagnosticCode::kUnprotectedMemory:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool IsValueRefused(const RunOutcome& outcome, const Layer& layer) {
  return outcome.status == Status::kInvalidArgument && IsRunByBackend(layer);
}

const std::string* FindFailedBackend(const RunOutcome& outcome, const Graph& graph,
                                     const ExecutionPlan& plan,
                                     const std::vector<LoadedBackend>& backends) {
  if (outcome.stop != RunStop::kNone || outcome.is_left) return nullptr;
  if (IsValueRefused(outcome, graph.layers[plan.steps[outcome.failed_step].layer])) return nullptr;
  // The step of a copy may fail for the handle of another backend.
  const std::string* subject = outcome.thrown ? FindSubject(*outcome.thrown, backends) : nullptr;
  if (subject != nullptr) return subject;
  const std::uint32_t backend = plan.steps[outcome.failed_step].backend;
  return backend == kCoreBackend ? nullptr : &backends[backend].backend->id;
}

const std::string* FindFailedBackend(const Diagnostic& thrown,
                                     const std::vector<LoadedBackend>& backends) {
  return IsFaultOfApplication(thrown.code) ? nullptr : FindSubject(thrown, backends);
}

}  // namespace backplane
