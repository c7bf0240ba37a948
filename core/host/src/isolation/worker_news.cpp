// What the process of an isolated backend tells without being asked, and its end.
#include "isolation/worker_link.hpp"

#include "isolation/describe_worker.hpp"
#include "isolation/isolated_state.hpp"

#include <backplane/host/logging.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::isolation {
namespace {

using messages::Function;

}  // namespace

void WorkerLink::PassLine(LogLevel level, const std::string& text) {
  if (!lines_.Take(Clock::now(), text.size())) return;
  LogLinesLeftOut();
  static_cast<void>(plan_.logger->Log(level, text.c_str()));
}

void WorkerLink::LogLinesLeftOut() {
  const std::uint64_t num_left_out = lines_.TakeNumLeftOut();
  if (num_left_out == 0) return;
  const std::string text = std::to_string(num_left_out) + " lines were left out: more than " +
                           std::to_string(LineBudget::kMostInASecond) + " lines or " +
                           std::to_string(LineBudget::kMostBytesInASecond) +
                           " bytes came in a second";
  static_cast<void>(plan_.logger->Log(LogLevel::kWarning, text.c_str()));
}

void WorkerLink::OnNotice(const messages::Message& notice) {
  messages::Reader reader(notice.body);
  if (notice.function == Function::kLogLine) {
    const auto level = reader.Take<LogLevel>();
    const std::string text(reader.TakeText());
    const auto number = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(level), 1, 5);
    PassLine(static_cast<LogLevel>(number), text);
    return;
  }
  const std::lock_guard<std::mutex> lock(state_mutex_);
  const auto found = profilings_.find(reader.Take<std::uint64_t>());
  if (found == profilings_.end()) return;
  if (notice.function == Function::kTimelineEvent) {
    static_cast<void>(found->second->ReportTimelineEvent(messages::TakeTimelineEvent(reader)));
  } else if (notice.function == Function::kCounterSamples) {
    const std::string_view bytes = reader.TakeText();
    std::vector<CounterSample> samples(bytes.size() / sizeof(CounterSample));
    if (samples.empty()) return;
    std::memcpy(samples.data(), bytes.data(), samples.size() * sizeof(CounterSample));
    static_cast<void>(found->second->ReportCounterSamples(
        samples.data(), static_cast<std::uint32_t>(samples.size())));
  }
}

void WorkerLink::EndForRun(std::uint32_t generation, const std::string& why) {
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (generation == GetGeneration() && why_ended_.empty()) has_ended_for_run_ = true;
  }
  End(generation, why);
}

void WorkerLink::End(std::uint32_t generation, const std::string& why) {
  if (HasEnded(generation)) return;
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (why_ended_.empty()) why_ended_ = why;
    process = running_.lock();
  }
  if (process) process->Terminate();
}

// In the thread that watches it.
void WorkerLink::OnEnd(const WorkerEnd& end) {
  LogLinesLeftOut();
  const std::lock_guard<std::mutex> lock(state_mutex_);
  process_id_ = -1;
  WorkerDeath death;
  death.backend_id = plan_.backend_id;
  death.path = plan_.file.path;
  death.why_ended = why_ended_;
  death.is_sandboxed = plan_.sandbox.sandbox != Sandbox::kNone;
  for (const IsolatedState* const state : states_) {
    const std::string running = state->NameRunning();
    if (!running.empty()) death.running.push_back(running);
  }
  constexpr std::size_t kMaxEnds = 64;
  const Diagnostic diagnostic = DescribeWorkerDeath(death, end);
  ends_[GetGeneration()] = diagnostic;
  if (ends_.size() > kMaxEnds) ends_.erase(ends_.begin());
  if (!is_closing_) Log(kIsolationChannel, LogLevel::kWarning, ToText(diagnostic));
  ended_generation_.store(GetGeneration(), std::memory_order_release);
  for (IsolatedState* const state : states_) state->Wake();
}

Diagnostic WorkerLink::GetDeath(std::uint32_t generation) {
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (const auto found = ends_.find(generation); found != ends_.end()) return found->second;
    process = running_.lock();
  }
  if (process) process->WaitForEnd();
  const std::lock_guard<std::mutex> lock(state_mutex_);
  if (const auto found = ends_.find(generation); found != ends_.end()) return found->second;
  Diagnostic diagnostic{DiagnosticCode::kWorkerEnded};
  diagnostic.subject = {SubjectKind::kBackend, plan_.backend_id};
  diagnostic.what = "the process of backend " + plan_.backend_id + " has ended";
  diagnostic.why = "how is not known any more; expected it to run";
  diagnostic.fix = "look for it in the log";
  return diagnostic;
}

bool WorkerLink::WaitForNotices(std::uint32_t generation, std::uint64_t count) {
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (generation != GetGeneration()) return true;
    process = running_.lock();
  }
  constexpr std::chrono::milliseconds kLongest{10'000};
  const auto timeout = std::min(kLongest, plan_.settings.call_timeout);
  if (!process || process->WaitForNotices(count, timeout)) return true;
  End(generation, "it counts more log lines and events than it sent");
  return false;
}

}  // namespace backplane::isolation
