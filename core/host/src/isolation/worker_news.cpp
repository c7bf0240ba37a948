// Notices that the process of an isolated backend sends without being asked, and its end.
#include "isolation/worker.hpp"

#include "isolation/isolated_state.hpp"
#include "probing/explain_account.hpp"

#include <backplane/host/load_report.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/system_refusal.hpp>

#include <algorithm>
#include <cstring>

namespace backplane::isolation {
namespace {

void ReportSamples(IBackendProfiling& profiling, std::string_view bytes) {
  std::vector<CounterSample> samples(bytes.size() / sizeof(CounterSample));
  if (samples.empty()) return;
  std::memcpy(samples.data(), bytes.data(), samples.size() * sizeof(CounterSample));
  static_cast<void>(
      profiling.ReportCounterSamples(samples.data(), static_cast<std::uint32_t>(samples.size())));
}

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

/// How a process ended. `why_ended`: by this host; "": it was not. `running`: its layers, as words.
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

}  // namespace

void Worker::PassLine(LogLevel level, const std::string& text) {
  if (!lines_.Take(std::chrono::steady_clock::now(), text.size())) return;
  LogLinesLeftOut();
  static_cast<void>(GetLogger().Log(level, text.c_str()));
}

void Worker::LogLinesLeftOut() {
  const std::uint64_t num_left_out = lines_.TakeNumLeftOut();
  if (num_left_out == 0) return;
  const std::string text = std::to_string(num_left_out) + " lines were left out: more than " +
                           std::to_string(LineBudget::kMostInASecond) + " lines or " +
                           std::to_string(LineBudget::kMostBytesInASecond) +
                           " bytes came in a second";
  static_cast<void>(GetLogger().Log(LogLevel::kWarning, text.c_str()));
}

void Worker::OnNotice(const wire::Message& notice) {
  wire::Reader reader(notice.body);
  if (notice.function != wire::Function::kLogLine) return ReportProfiling(notice.function, reader);
  const auto level = reader.Take<LogLevel>();
  const std::string text(reader.TakeText());
  const auto number = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(level), 1, 5);
  PassLine(static_cast<LogLevel>(number), text);
}

void Worker::ReportProfiling(wire::Function function, wire::Reader& reader) {
  const auto id = reader.Take<std::uint64_t>();
  objects_.profilings.ForEach([&](const auto& profiling) {
    if (profiling.first != id) return;
    if (function == wire::Function::kTimelineEvent) {
      static_cast<void>(profiling.second->ReportTimelineEvent(reader.Take<TimelineEvent>()));
    } else if (function == wire::Function::kCounterSamples) {
      ReportSamples(*profiling.second, reader.TakeText());
    }
  });
}

void Worker::OnOutput(bool is_error, const std::string& line) {
  PassLine(is_error ? LogLevel::kWarning : LogLevel::kInfo,
           (is_error ? "stderr: " : "stdout: ") + line);
}

void Worker::EndForRun(const std::string& why) {
  {
    const std::lock_guard<std::mutex> lock(end_mutex_);
    if (why_ended_.empty()) has_ended_for_run_ = true;
  }
  End(why);
}

void Worker::End(const std::string& why) {
  if (HasEnded()) return;
  {
    const std::lock_guard<std::mutex> lock(end_mutex_);
    if (why_ended_.empty()) why_ended_ = why;
  }
  process_.Terminate();
}

// In the thread that watches it.
void Worker::OnEnd(const WorkerEnd& end) {
  LogLinesLeftOut();
  std::string running;  // layers, as words
  objects_.states.ForEach([&](const IsolatedState* state) {
    const RemoteWorkload* const one = state->FindRunning();
    if (one != nullptr) running += (running.empty() ? "" : " and ") + one->name;
  });
  {
    const std::lock_guard<std::mutex> lock(end_mutex_);
    process_id_ = -1;
    death_ = DescribeWorkerDeath(*plan_, why_ended_, running, end);
    if (!is_closing_) Log(kIsolationChannel, LogLevel::kWarning, ToText(*death_));
  }
  has_ended_.store(true, std::memory_order_release);
  objects_.states.ForEach([](IsolatedState* state) { state->Wake(); });
}

bool Worker::WaitForNotices(std::uint64_t count) {
  constexpr std::chrono::milliseconds kLongest{10'000};
  if (process_.WaitForNotices(count, std::min(kLongest, plan_->settings.call_timeout))) return true;
  End("it counts more log lines and events than it sent");
  return false;
}

}  // namespace backplane::isolation
