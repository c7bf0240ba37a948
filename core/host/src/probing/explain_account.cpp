#include "probing/explain_account.hpp"

#include "inspection/file_words.hpp"
#include "probing/explain_death.hpp"

#include <algorithm>
#include <utility>

namespace backplane::probing {
namespace {

std::string Join(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : "; ") + text;
  return joined;
}

std::string Count(std::uint64_t number, const std::string& thing) {
  const char* const ending = thing.back() == 's' ? "es" : "s";
  return std::to_string(number) + ' ' + thing + (number == 1 ? "" : ending);
}

void RemarkOnState(const StateChanges& state, const std::string& path, Candidate& candidate) {
  if (!state.changes.empty()) {
    candidate.diagnostics.push_back(inspection::DescribeFile(
        DiagnosticCode::kChangedProcessState, path, "changes the process that loads it",
        "found changed: " + Join(state.changes),
        "vendor: leave to the application what belongs to the whole process, and link without "
        "-ffast-math, which changes how floating-point numbers are treated",
        Severity::kWarning));
  }
  if (state.num_threads_left != 0) {
    candidate.diagnostics.push_back(inspection::DescribeFile(
        DiagnosticCode::kLeftThreads, path,
        "leaves threads running when all that was made from it is gone",
        "found " + Count(state.num_threads_left, "thread") +
            " more than before it was opened, expected none",
        "vendor: end the threads with the object that started them; as long as they "
        "run, closing the library would crash",
        Severity::kNote));
  }
  if (!state.descriptors_left.empty()) {
    candidate.diagnostics.push_back(inspection::DescribeFile(
        DiagnosticCode::kLeftDescriptors, path, "leaves files open",
        "found open when all that was made from it was gone: descriptor " +
            Join(state.descriptors_left),
        "vendor: close them with the object that opened them", Severity::kNote));
  }
}

void RemarkOnProcesses(const ProbeAccount& account, const std::string& path, Candidate& candidate) {
  if (account.has_copy) {
    candidate.diagnostics.push_back(inspection::DescribeFile(
        DiagnosticCode::kLeftProcesses, path, "makes a second process of the one that loads it",
        "found a copy of the process, made by fork, that came back to the host and went on with "
        "its work; it was ended",
        "vendor: call exec or _exit in the process that fork makes", Severity::kWarning));
  } else if (account.num_processes_left != 0) {
    candidate.diagnostics.push_back(inspection::DescribeFile(
        DiagnosticCode::kLeftProcesses, path, "starts processes and leaves them running",
        "found " + Count(account.num_processes_left, "process") +
            " below the one that checked it; they were ended",
        "vendor: wait for the processes that are started", Severity::kWarning));
  } else {
    return;
  }
  candidate.intrusions.push_back(Intrusion::kProcesses);
  std::sort(candidate.intrusions.begin(), candidate.intrusions.end());
}

void RemarkOnTraces(const ProbeAccount& account, const std::string& path, Candidate& candidate) {
  if (account.stdout_bytes != 0) {
    candidate.diagnostics.push_back(inspection::DescribeFile(
        DiagnosticCode::kWroteToOutput, path, "writes to standard output while it is loaded",
        "found " + Count(account.stdout_bytes, "byte") + ", beginning with \"" +
            account.stdout_start + "\"",
        "vendor: standard output is the application's; use the logger that the "
        "backend is given",
        Severity::kNote));
  }
}

void FailStage(Stage stage, Candidate& candidate) {
  for (StageRecord& record : candidate.stages) {
    if (record.stage != stage) continue;
    record.has_failed = true;
    return;
  }
  candidate.stages.push_back({stage, std::chrono::nanoseconds(0), true});
}

/// Whether the plugin's process reported, closed the library and came to its end.
bool HasEndedWell(const ProbeAccount& account) {
  return account.report && account.is_closed && account.end == ProcessEnd::kExited &&
         account.exit_code == 0;
}

}  // namespace

Candidate ExplainAccount(const ProbeAccount& account, const std::string& path) {
  Candidate candidate;
  if (account.report) candidate = account.report->candidate;
  candidate.path = path;
  candidate.where = ProbedIn::kChild;
  if (!HasEndedWell(account)) {
    candidate.stage = account.stage;
    candidate.status = CandidateStatus::kRejected;
    FailStage(account.stage, candidate);
    candidate.diagnostics.push_back(ExplainDeath(account, path));
  }
  if (account.report) RemarkOnState(account.report->state, path, candidate);
  RemarkOnProcesses(account, path, candidate);
  RemarkOnTraces(account, path, candidate);
  return candidate;
}

}  // namespace backplane::probing
