// What the process of an isolated backend tells without being asked, and its end.
#include "isolation/worker.hpp"

#include "isolation/describe_worker.hpp"

#include <backplane/host/logging.hpp>

#include <algorithm>
#include <utility>

namespace backplane::isolation {

using wire::Function;

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
  if (notice.function != Function::kLogLine) return objects_.Report(notice);
  wire::Reader reader(notice.body);
  const auto level = reader.Take<LogLevel>();
  const std::string text(reader.TakeText());
  const auto number = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(level), 1, 5);
  PassLine(static_cast<LogLevel>(number), text);
}

void Worker::OnFault(const char* what) {
  End(what);
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

bool Worker::HasEndedForRun() const {
  const std::lock_guard<std::mutex> lock(end_mutex_);
  return has_ended_for_run_;
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
  const std::string running = objects_.NameRunning();
  {
    const std::lock_guard<std::mutex> lock(end_mutex_);
    process_id_ = -1;
    death_ = DescribeWorkerDeath(*plan_, why_ended_, running, end);
    if (!is_closing_) Log(kIsolationChannel, LogLevel::kWarning, ToText(*death_));
  }
  has_ended_.store(true, std::memory_order_release);
  objects_.WakeWaiting();
}

Diagnostic Worker::GetDeath() {
  process_.WaitForEnd();
  const std::lock_guard<std::mutex> lock(end_mutex_);
  return *death_;
}

bool Worker::WaitForNotices(std::uint64_t count) {
  constexpr std::chrono::milliseconds kLongest{10'000};
  if (process_.WaitForNotices(count, std::min(kLongest, plan_->settings.call_timeout))) return true;
  End("it counts more log lines and events than it sent");
  return false;
}

}  // namespace backplane::isolation
