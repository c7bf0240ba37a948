#include "isolation/describe_worker.hpp"

#include "probing/explain_account.hpp"

#include <backplane/host/load_report.hpp>
#include <backplane/host/system_refusal.hpp>

#include <cstring>
#include <utility>

namespace backplane::isolation {
namespace {

Diagnostic DescribeNotStarted(const WorkerPlan& plan, const WorkerEnd& end) {
  const auto refusal = ExplainRefusal(end.start_error);
  return {
      DiagnosticCode::kWorkerNotStarted,
      Severity::kError,
      {SubjectKind::kBackend, plan.backend_id},
      "no process can be started for backend \"" + plan.backend_id + '"',
      std::string(std::strerror(end.start_error)) + (refusal ? "; found: " + refusal->found : ""),
      (refusal ? refusal->cure
               : std::string("install backplane-worker " BACKPLANE_VERSION
                             " beside libbackplane-host.so")) +
          ", or do not isolate it"};
}

/// How it ended by itself, and what that means. False: it did not.
bool ExplainOwnEnd(const WorkerPlan& plan, const std::string& why_ended,
                   const probing::ProbeAccount& received, Diagnostic& diagnostic) {
  if (!why_ended.empty() && received.end == probing::ProcessEnd::kInterrupted) return false;
  probing::ProbeAccount account = received;
  account.is_worker = true;
  account.is_sandboxed = plan.sandbox.sandbox != Sandbox::kNone;
  const Candidate candidate = probing::ExplainAccount(account, plan.file.path);
  const Diagnostic* const headline = GetHeadline(candidate);
  if (headline == nullptr) return false;
  diagnostic.why = headline->what + (headline->why.empty() ? "" : ": " + headline->why);
  diagnostic.causes = candidate.diagnostics;
  return true;
}

/// Why it ended, and what its end means. What it did itself comes before what was seen of that.
void Explain(const WorkerPlan& plan, const std::string& why_ended, const WorkerEnd& end,
             Diagnostic& diagnostic) {
  const auto& account = end.received.account;
  if (account && ExplainOwnEnd(plan, why_ended, *account, diagnostic)) {
    if (!why_ended.empty()) diagnostic.why += "; the host saw that " + why_ended;
  } else if (!why_ended.empty()) {
    diagnostic.why = why_ended + ", and was ended";
  } else if (account) {
    diagnostic.why = "it came to its end as if nobody needed it any more";
  } else {
    diagnostic.why = "it ended without an account of itself";
    if (!end.how.empty()) {
      diagnostic.why +=
          "; the program that watched it " + end.how + ", by the backend or another process";
    }
  }
  if (account && !account->stderr_end.empty() &&
      diagnostic.why.find(account->stderr_end) == std::string::npos) {
    diagnostic.why += "; its last lines are \"" + account->stderr_end + '"';
  }
}

}  // namespace

Diagnostic DescribeWorkerDeath(const WorkerPlan& plan, const std::string& why_ended,
                               const std::string& running, const WorkerEnd& end) {
  if (!end.is_started) return DescribeNotStarted(plan, end);
  Diagnostic diagnostic{DiagnosticCode::kWorkerEnded};
  diagnostic.subject = {SubjectKind::kBackend, plan.backend_id};
  diagnostic.what = "the process of backend \"" + plan.backend_id + "\" has ended";
  if (!running.empty()) diagnostic.what += " while it ran " + running;
  Explain(plan, why_ended, end, diagnostic);
  diagnostic.fix =
      "report it to the backend's vendor, with these words; the next run starts a new process, or "
      "prefer another backend";
  return diagnostic;
}

std::string DescribeOrdinal(std::uint64_t number) {
  constexpr const char* kEndings[] = {"th", "st", "nd", "rd"};
  const bool is_teen = number / 10 % 10 == 1;
  const std::uint64_t last = number % 10;
  return std::to_string(number) + (is_teen || last > 3 ? "th" : kEndings[last]);
}

}  // namespace backplane::isolation
