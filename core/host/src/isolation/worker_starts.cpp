// How the process of an isolated backend is started, also again, with everything that was loaded.
#include "isolation/worker_link.hpp"

#include "isolation/describe_worker.hpp"
#include "sandbox/worker_environment.hpp"

#include <backplane/api/subgraph_view.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/plugin_object.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace backplane::isolation {
namespace {

using messages::Function;
using messages::Writer;

std::uint32_t FindLeastLevel(const ILogger& logger) {
  for (std::uint32_t level = 1; level <= static_cast<std::uint32_t>(LogLevel::kError); ++level) {
    if (logger.IsEnabled(static_cast<LogLevel>(level))) return level;
  }
  return static_cast<std::uint32_t>(LogLevel::kError) + 1;
}

/// Answers each question as the same one before, in their order. What was stored compiled is found,
/// so that it is not compiled again.
class AnswerAgain {
 public:
  explicit AnswerAgain(const std::vector<Answered>& answered);

  /// Empty: it is none that was asked before at this place.
  std::string Answer(const messages::Message& question);

  /// Whether all questions were those of before.
  bool IsAsBefore() const { return is_as_before_; }

 private:
  const std::vector<Answered>& answered_;
  std::map<messages::Function, std::size_t> next_;
  std::map<std::string, std::string, std::less<>> compiled_;  // by their keys
  bool is_as_before_ = true;
};

AnswerAgain::AnswerAgain(const std::vector<Answered>& answered) : answered_(answered) {
  for (const Answered& one : answered) {
    if (one.function != Function::kStoreCompiled) continue;
    messages::Reader reader(one.question);
    const std::string key(reader.TakeText());
    compiled_[key] = std::string(reader.TakeText());
  }
}

std::string AnswerAgain::Answer(const messages::Message& question) {
  if (question.function == Function::kLoadCompiled) {
    const auto found = compiled_.find(messages::Reader(question.body).TakeText());
    if (found != compiled_.end()) {
      return messages::Writer().Put(Status::kSuccess).PutText(found->second).Get();
    }
  }
  std::size_t& next = next_[question.function];
  while (next < answered_.size() && answered_[next].function != question.function) ++next;
  if (next < answered_.size() && answered_[next].question == question.body) {
    return answered_[next++].answer;
  }
  is_as_before_ = false;
  return messages::Writer().Put(Status::kFailure).Put(LayerId{0}).Get();
}

[[noreturn]] void ThrowDifferent(const std::string& backend_id, const char* question) {
  Diagnostic diagnostic{DiagnosticCode::kWorkerEnded};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" cannot go on in a new process";
  diagnostic.why = std::string("found that it does or answers something else in ") + question +
                   "; expected what its process before did, of which this one has the plan";
  diagnostic.fix =
      "load the network again, and report it to the backend's vendor: the same questions must be "
      "answered in the same way and order";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

void WorkerLink::EnsureStarted() {
  if (call_depth_ == 0) EndThatSpeaksUnasked();
  if (process_ && !HasEnded(GetGeneration())) return;
  if (process_) {
    const Diagnostic death = GetDeath(GetGeneration());
    if (call_depth_ > 0) throw DiagnosticException(death);
    CheckDeaths(death);
  }
  StartNext();
  try {
    Open();
    Replay();
  } catch (...) {
    const auto failure =
        plugin_call::DescribeCurrentException(plan_.backend_id, "the start of its process");
    End(GetGeneration(), "it could not be opened with what was loaded before: " + failure->why);
    GetDeath(GetGeneration());
    throw;
  }
}

// What is not asked has nothing to answer; who has gone meanwhile is not asked.
void WorkerLink::EndThatSpeaksUnasked() {
  if (!process_ || process_->HasEnded()) return;
  char byte = 0;
  const ssize_t bytes = recv(process_->GetCallSocket(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (bytes < 0 && errno == EAGAIN) return;
  const std::uint32_t generation = GetGeneration();
  if (bytes > 0) {
    End(generation, "it wrote to the socket over which it is asked, and was asked nothing");
  } else {
    WaitForEndOfSilent(*process_, generation);
  }
  process_->WaitForEnd();
}

void WorkerLink::CheckDeaths(const Diagnostic& last) {
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (has_ended_for_run_) return;
  }
  const auto now = Clock::now();
  while (!deaths_.empty() && now - deaths_.front() > plan_.settings.deaths_period) {
    deaths_.pop_front();
  }
  if (deaths_.size() < plan_.settings.max_deaths) {
    deaths_.push_back(now);
    return;
  }
  throw DiagnosticException(
      DescribeStaysOut(plan_.backend_id, deaths_.size() + 1, plan_.settings, last));
}

void WorkerLink::StartNext() {
  if (process_) process_->Finish();
  process_.reset();
  shown_areas_.clear();
  destroyed_meanwhile_.clear();
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    why_ended_.clear();
    has_ended_for_run_ = false;
  }
  WorkerStart start;
  start.program = plan_.program;
  start.request.depth = probing::ProbeDepth::kServe;
  start.request.timeout = std::chrono::hours(24 * 365);
  start.request.max_data_bytes = plan_.settings.max_data_bytes;
  start.request.host_process = getpid();
  start.request.files = {plan_.file};
  start.request.sandbox = plan_.sandbox;
  start.environment =
      sandbox::MakeWorkerEnvironment(environ, plan_.sandbox.variables, plan_.sandbox.sandbox);
  start.starter = plan_.starter;
  const std::uint32_t generation = generation_.load() + 1;
  generation_.store(generation, std::memory_order_release);
  WorkerListener listener;
  listener.on_notice = [this](const messages::Message& notice) { OnNotice(notice); };
  listener.on_nonsense = [this, generation] {
    End(generation, "what it wrote to the socket of its log lines and events is no message");
  };
  listener.on_silence = [this, generation] {
    End(generation, "it closed the socket of its log lines and events");
  };
  listener.on_output = [this](bool is_error, std::string_view line) {
    PassLine(is_error ? LogLevel::kWarning : LogLevel::kInfo,
             std::string(is_error ? "stderr: " : "stdout: ") + std::string(line));
  };
  listener.on_end = [this](const WorkerEnd& end) { OnEnd(end); };
  process_ = std::make_shared<WorkerProcess>(std::move(listener));
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    running_ = process_;
  }
  process_->Start(std::move(start));
}

void WorkerLink::Open() {
  const std::uint32_t generation = GetGeneration();
  const Writer open = Writer().Put(FindLeastLevel(*plan_.logger));
  const auto reply = Ask(Function::kOpen, open.Get(), {}, nullptr);
  const auto process_id = reply->reader.Take<std::int64_t>();
  CheckWhole(*reply);
  // Whoever sends signals there would send them to many.
  if (process_id <= 0) {
    End(generation, "it says that its process is " + std::to_string(process_id));
    throw DiagnosticException(GetDeath(generation));
  }
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (ends_.count(generation) == 0) process_id_ = process_id;
  }
  if (generation > 1) {
    Log(kIsolationChannel, LogLevel::kWarning,
        "backend \"" + plan_.backend_id + "\" runs in a new process, its " +
            DescribeOrdinal(generation) + ", with everything that is loaded");
  }
}

void WorkerLink::Replay() {
  for (auto next = steps_.begin(); next != steps_.end();) {
    const std::shared_ptr<Step> step = next->second.lock();
    if (!step) {
      next = steps_.erase(next);
      continue;
    }
    ++next;
    for (const auto& area : step->areas) SendArea(area);
    AnswerAgain again(step->answered);
    const auto reply =
        Ask(step->function, step->body, step->descriptors,
            [&](const messages::Message& question) { return again.Answer(question); });
    if (!again.IsAsBefore() || reply->GetAnswer() != step->answer) {
      ThrowDifferent(plan_.backend_id, messages::FindWords(step->function));
    }
    for (const std::uint64_t id : step->destroyed) {
      Ask(Function::kDestroy, Writer().Put(id).Get(), {}, nullptr);
    }
  }
}

}  // namespace backplane::isolation
