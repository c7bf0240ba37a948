#include "report/candidate_rules.hpp"

#include <backplane/api/manifest.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace backplane::report {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 18U;
constexpr std::size_t kMaxEntries = 10'000;
constexpr std::chrono::hours kMaxDuration{48};  // twice the longest timeout

std::string Quote(const char* text) {
  return std::string("\"") + text + '"';
}

std::string FindFaultInCount(const char* things, std::size_t count) {
  if (count <= kMaxEntries) return "";
  return std::to_string(count) + ' ' + things + ", more than " + std::to_string(kMaxEntries);
}

bool IsError(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::kError;
}

std::string FindFaultInDiagnostics(const std::vector<Diagnostic>& diagnostics) {
  std::string fault = FindFaultInCount("diagnostics", diagnostics.size());
  for (const Diagnostic& diagnostic : diagnostics) {
    for (const std::string* text :
         {&diagnostic.subject.name, &diagnostic.what, &diagnostic.why, &diagnostic.fix}) {
      if (fault.empty()) fault = FindFaultInText("diagnostic", *text);
    }
    if (fault.empty()) fault = FindFaultInDiagnostics(diagnostic.causes);
    if (!fault.empty()) return fault;
  }
  return fault;
}

bool MayRunInAProcessOfItsOwn(Stage stage) {
  return stage == Stage::kDependencies || stage == Stage::kOpen || stage == Stage::kIdentify ||
         stage == Stage::kCreate;
}

/// They rise; only the dependencies are looked at again behind an opening that failed.
bool MayFollow(const StageRecord& before, const StageRecord& next) {
  if (next.stage == Stage::kDependencies) return before.stage == Stage::kOpen && before.has_failed;
  return next.stage > before.stage;
}

std::string FindFaultInStages(const Candidate& candidate) {
  const auto& stages = candidate.stages;
  if (stages.empty()) return "a candidate that went through no stage";
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const StageRecord& record = stages[i];
    if (!MayRunInAProcessOfItsOwn(record.stage)) {
      return "the stage " + Quote(GetStageName(record.stage)) + ", which does not run there";
    }
    if (record.duration.count() < 0 || record.duration > kMaxDuration) {
      return "the stage " + Quote(GetStageName(record.stage)) + " with a time that cannot be";
    }
    if (i > 0 && !MayFollow(stages[i - 1], record)) {
      return "the stage " + Quote(GetStageName(record.stage)) + " behind the stage " +
             Quote(GetStageName(stages[i - 1].stage));
    }
  }
  const bool has_run = std::any_of(stages.begin(), stages.end(), [&](const StageRecord& record) {
    return record.stage == candidate.stage;
  });
  return has_run ? ""
                 : "the end in the stage " + Quote(GetStageName(candidate.stage)) +
                       ", which did not run";
}

std::string FindFaultInIdentity(const BackendIdentity& identity) {
  if (!manifest_rule::IsId(identity.id)) return "an id that is not allowed";
  std::string fault = FindFaultInCount("capabilities", identity.capabilities.size());
  if (fault.empty()) fault = FindFaultInCount("options", identity.options.size());
  if (fault.empty()) {
    fault = FindFaultInCount("tensor-handle factories", identity.tensor_handle_factories.size());
  }
  if (fault.empty()) fault = FindFaultInCount("operators", identity.GetOperators().size());
  return fault;
}

bool HasFailedStage(const Candidate& candidate) {
  return std::any_of(candidate.stages.begin(), candidate.stages.end(),
                     [](const StageRecord& record) { return record.has_failed; });
}

bool HasError(const Candidate& candidate) {
  return std::any_of(candidate.diagnostics.begin(), candidate.diagnostics.end(), IsError);
}

std::string FindFaultInPassing(const Candidate& candidate) {
  const std::string status = Quote(GetCandidateStatusName(candidate.status));
  if (!candidate.identity) return status + " without an identity";
  if (HasError(candidate)) return status + " with an error";
  if (HasFailedStage(candidate)) return status + " with a stage that failed";
  if (candidate.stage != candidate.stages.back().stage) {
    return status + " in a stage that is not the last";
  }
  return "";
}

std::string FindFaultInStatus(const Candidate& candidate) {
  const std::string status = Quote(GetCandidateStatusName(candidate.status));
  switch (candidate.status) {
    case CandidateStatus::kLoaded:
      if (candidate.stage < Stage::kIdentify) return status + " without having been asked its id";
      return FindFaultInPassing(candidate);
    case CandidateStatus::kUnavailable:
      if (candidate.stage != Stage::kCreate) return status + " before the backend was created";
      if (candidate.diagnostics.empty()) return status + " without a reason";
      return FindFaultInPassing(candidate);
    case CandidateStatus::kRejected:
      if (!HasError(candidate)) return status + " without an error";
      return HasFailedStage(candidate) ? "" : status + " without a stage that failed";
    case CandidateStatus::kInspected:
    case CandidateStatus::kSkipped:
    case CandidateStatus::kShadowed:
      break;
  }
  return "the status " + status + ", which no process of its own gives";
}

}  // namespace

std::string FindFaultInText(const std::string& name, const std::string& text) {
  if (text.size() <= kMaxTextBytes) return "";
  return "a " + name + " of " + std::to_string(text.size()) + " bytes, more than " +
         std::to_string(kMaxTextBytes);
}

std::string FindContradiction(const Candidate& candidate) {
  std::string fault = FindFaultInStages(candidate);
  if (fault.empty()) fault = FindFaultInStatus(candidate);
  if (fault.empty() && candidate.identity) fault = FindFaultInIdentity(*candidate.identity);
  if (fault.empty()) fault = FindFaultInDiagnostics(candidate.diagnostics);
  if (fault.empty()) fault = FindFaultInCount("changes", candidate.changed_state.size());
  return fault;
}

}  // namespace backplane::report
