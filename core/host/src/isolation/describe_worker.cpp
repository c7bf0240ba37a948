#include "isolation/describe_worker.hpp"

#include "probing/explain_account.hpp"

#include <backplane/host/load_report.hpp>
#include <backplane/host/system_refusal.hpp>

#include <unistd.h>

#include <cstring>
#include <utility>

namespace backplane::isolation {
namespace {

std::string JoinRunning(const std::vector<std::string>& running) {
  std::string text;
  for (const std::string& one : running) text += (text.empty() ? "" : " and ") + one;
  return text;
}

Diagnostic DescribeNotStarted(const WorkerDeath& death, const WorkerEnd& end) {
  Diagnostic diagnostic{DiagnosticCode::kWorkerNotStarted};
  diagnostic.subject = {SubjectKind::kBackend, death.backend_id};
  diagnostic.what = "no process can be started for backend \"" + death.backend_id + '"';
  const auto refusal = ExplainRefusal(end.start_error);
  diagnostic.why =
      std::string(std::strerror(end.start_error)) + (refusal ? "; found: " + refusal->found : "");
  diagnostic.fix = (refusal ? refusal->cure
                            : std::string("install backplane-worker " BACKPLANE_VERSION
                                          " beside libbackplane-host.so")) +
                   ", or do not isolate it";
  return diagnostic;
}

/// How it ended by itself, and what that means. False: it did not.
bool ExplainOwnEnd(const WorkerDeath& death, const probing::ProbeAccount& received,
                   Diagnostic& diagnostic) {
  if (!death.why_ended.empty() && received.end == probing::ProcessEnd::kInterrupted) return false;
  probing::ProbeAccount account = received;
  account.is_worker = true;
  account.is_sandboxed = death.is_sandboxed;
  const Candidate candidate = probing::ExplainAccount(account, death.path);
  const Diagnostic* const headline = GetHeadline(candidate);
  if (headline == nullptr) return false;
  diagnostic.why = headline->what + (headline->why.empty() ? "" : ": " + headline->why);
  diagnostic.causes = candidate.diagnostics;
  return true;
}

/// Why it ended, and what its end means. What it did itself comes before what was seen of that.
void Explain(const WorkerDeath& death, const WorkerEnd& end, Diagnostic& diagnostic) {
  const auto& account = end.received.account;
  if (account && ExplainOwnEnd(death, *account, diagnostic)) {
    if (!death.why_ended.empty()) diagnostic.why += "; the host saw that " + death.why_ended;
  } else if (!death.why_ended.empty()) {
    diagnostic.why = death.why_ended + ", and was ended";
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

Diagnostic DescribeWorkerDeath(const WorkerDeath& death, const WorkerEnd& end) {
  if (!end.is_started) return DescribeNotStarted(death, end);
  Diagnostic diagnostic{DiagnosticCode::kWorkerEnded};
  diagnostic.subject = {SubjectKind::kBackend, death.backend_id};
  diagnostic.what = "the process of backend \"" + death.backend_id + "\" has ended";
  if (!death.running.empty()) diagnostic.what += " while it ran " + JoinRunning(death.running);
  Explain(death, end, diagnostic);
  diagnostic.fix =
      "report it to the backend's vendor, with these words; the next run starts a new process, or "
      "prefer another backend";
  return diagnostic;
}

Diagnostic DescribeStaysOut(const std::string& backend_id, std::size_t num_deaths,
                            const IsolationSettings& settings, const Diagnostic& last) {
  Diagnostic diagnostic{DiagnosticCode::kWorkerStaysOut};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" is not started again now: its process ended " +
                    std::to_string(num_deaths) + " times within " +
                    std::to_string(settings.deaths_period.count() / 1000) + " s";
  diagnostic.why = "expected at most " + std::to_string(settings.max_deaths) +
                   " times; the last time " + last.why;
  diagnostic.fix =
      "prefer another backend, and report it to the backend's vendor; it is started again when "
      "the first of these ends is longer ago than that";
  diagnostic.causes = {last};
  return diagnostic;
}

Diagnostic DescribeForked(const std::string& backend_id, std::int64_t owner) {
  const std::string own = std::to_string(getpid());
  Diagnostic diagnostic{DiagnosticCode::kForked};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id +
                    "\", which runs in a process of its own, cannot be used by process " + own;
  diagnostic.why = "found a fork of process " + std::to_string(owner) +
                   "; expected that process itself, to which the worker of the backend belongs";
  diagnostic.fix = "make another runtime in process " + own +
                   ", or fork before the runtime is made; process " + std::to_string(owner) +
                   " is not affected";
  return diagnostic;
}

std::string NameLimitsMet(std::string thrown, const IsolationSettings& settings) {
  if (settings.max_data_bytes != 0 && probing::SpeaksOfMemory(thrown)) {
    thrown += "; the limit is " + std::to_string(settings.max_data_bytes >> 20U) +
              " MiB of data (IsolationSettings::max_data_bytes)";
  }
  if (settings.max_open_files != 0 && thrown.find("oo many open files") != std::string::npos) {
    thrown += "; the limit is " + std::to_string(settings.max_open_files) +
              " open files (IsolationSettings::max_open_files)";
  }
  return thrown;
}

std::string DescribeOrdinal(std::uint64_t number) {
  constexpr const char* kEndings[] = {"th", "st", "nd", "rd"};
  const bool is_teen = number / 10 % 10 == 1;
  const std::uint64_t last = number % 10;
  return std::to_string(number) + (is_teen || last > 3 ? "th" : kEndings[last]);
}

}  // namespace backplane::isolation
