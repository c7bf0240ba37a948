#include "isolation/worker.hpp"

#include "probing/explain_account.hpp"
#include "sandbox/worker_environment.hpp"
#include "spawn/status_file.hpp"

#include <backplane/api/subgraph_view.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/plugin_object.hpp>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace backplane::isolation {
namespace {

using std::chrono::milliseconds;
using wire::Function;
using wire::MessageKind;
using wire::Writer;
using Clock = std::chrono::steady_clock;

// A backend may ask so many bytes during one call.
constexpr std::uint64_t kMaxAskedBytes = std::uint64_t{2} << 30U;
constexpr std::uint64_t kBytesOfQuestion = 256;  // each counts for at least so many

constexpr milliseconds kYear = std::chrono::hours(24 * 365);

// The worker whose question this thread answers, and which it may ask meanwhile.
thread_local const Worker* answering = nullptr;

std::uint32_t FindLeastLevel(const ILogger& logger) {
  for (std::uint32_t level = 1; level <= static_cast<std::uint32_t>(LogLevel::kError); ++level) {
    if (logger.IsEnabled(static_cast<LogLevel>(level))) return level;
  }
  return static_cast<std::uint32_t>(LogLevel::kError) + 1;
}

spawn::ChildProgram MakeProgram(const WorkerPlan& plan) {
  probing::ProbeRequest request;
  request.depth = probing::ProbeDepth::kServe;
  request.timeout = kYear;
  request.max_data_bytes = plan.settings.max_data_bytes;
  request.host_process = getpid();
  request.files = {plan.file};
  request.sandbox = plan.sandbox;
  const bool is_sandboxed = plan.sandbox.sandbox != Sandbox::kNone;
  return {plan.program,
          probing::EncodeRequest(request),
          sandbox::MakeWorkerEnvironment(environ, plan.sandbox.variables, is_sandboxed),
          {}};
}

/// Names the limits that a backend seems to have met, after the text that it threw.
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

/// Whether a process has used seven eighths or more of a limit that it has.
bool HasUsedUpLimit(std::int64_t process, const IsolationSettings& settings) {
  const auto is_used_up = [](std::uint64_t used, std::uint64_t most) {
    return most != 0 && used >= most - most / 8;
  };
  const std::string number = std::to_string(process);
  const std::string data_kib = spawn::ReadStatusLine(number, "VmData");
  std::error_code error;
  std::uint64_t num_files = 0;
  std::filesystem::directory_iterator next("/proc/" + number + "/fd", error);
  for (; !error && next != std::filesystem::directory_iterator(); next.increment(error))
    ++num_files;
  return is_used_up(std::strtoull(data_kib.c_str(), nullptr, 10) << 10U, settings.max_data_bytes) ||
         is_used_up(num_files, settings.max_open_files);
}

}  // namespace

Worker::Worker(std::shared_ptr<const WorkerPlan> plan, std::uint32_t number)
    : plan_(std::move(plan)), number_(number), process_(*this) {}

void Worker::Start() {
  process_.Start(MakeProgram(*plan_), plan_->starter);
  try {
    const CallLock lock = LockCalls();
    Open();
  } catch (...) {
    const auto failure =
        plugin_call::DescribeCurrentException(GetBackendId(), "the start of its process");
    End("it could not be opened: " + failure->why);
    GetDeath();
    throw;
  }
}

void Worker::Open() {
  const auto reply = Ask(Function::kOpen, Writer().Put(FindLeastLevel(GetLogger())));
  const auto process_id = reply->reader.Take<std::int64_t>();
  CheckWhole(*reply);
  // A signal to process 0 or -1 goes to many.
  if (process_id <= 0) {
    End("it says that its process is " + std::to_string(process_id));
    throw DiagnosticException(GetDeath());
  }
  {
    const std::lock_guard<std::mutex> lock(end_mutex_);
    if (!death_) process_id_ = process_id;
  }
  if (number_ > 1) {
    Log(kIsolationChannel, LogLevel::kWarning,
        "backend \"" + GetBackendId() + "\" runs in a new process, its " +
            DescribeOrdinal(number_));
  }
}

Worker::CallLock Worker::LockCalls() const {
  if (answering == this) return CallLock(call_mutex_, std::defer_lock);  // this thread has it
  return LockWithinLimit(call_mutex_, *plan_);
}

std::unique_ptr<Reply> Worker::Call(Function function, const Writer& body, const Areas& areas,
                                    const Answerer& answerer, const std::vector<int>& descriptors) {
  RefuseFork();
  const CallLock lock = LockCalls();
  if (HasEnded()) throw DiagnosticException(GetDeath());
  if (answering != this) SendWhatIsGone();
  for (const auto& area : areas) SendArea(area);
  return Ask(function, body, descriptors, answerer);
}

// Nothing is compiled before the first question is answered.
milliseconds Worker::GetTimeout(Function function) const {
  constexpr milliseconds kLongestStart{30'000};
  const milliseconds timeout = plan_->settings.call_timeout;
  return function == Function::kOpen ? std::min(kLongestStart, timeout) : timeout;
}

std::unique_ptr<Reply> Worker::Ask(Function function, const Writer& body,
                                   const std::vector<int>& descriptors, const Answerer& answerer) {
  const int socket = process_.GetCallSocket();
  const auto deadline = Clock::now() + std::min(kYear, GetTimeout(function));
  std::uint64_t asked_bytes = 0;
  std::exception_ptr thrown;  // by this host
  auto found = wire::Found::kOtherSideGone;
  bool is_sent =
      wire::Send(socket, MessageKind::kCall, function, body.Get(), descriptors, deadline);
  while (is_sent) {
    AwaitWithinLimit();
    wire::Message message;
    found = wire::Receive(socket, message, deadline);
    if (found != wire::Found::kMessage) break;
    if (message.kind == MessageKind::kCall && answerer) {
      asked_bytes += message.body.size() + kBytesOfQuestion;
      if (asked_bytes > kMaxAskedBytes) {
        End("it asked without an end during " + std::string(wire::FindWords(function)));
        break;
      }
      is_sent = wire::Send(socket, MessageKind::kAnswer, message.function,
                           AnswerQuestion(message, answerer, thrown), {}, deadline);
      continue;
    }
    if (message.kind == MessageKind::kAnswer && message.function == function) {
      auto reply = TakeAnswer(std::move(message), function);
      if (!reply) break;
      if (thrown) std::rethrow_exception(thrown);
      return reply;
    }
    if (message.kind == MessageKind::kThrown) {
      if (thrown) std::rethrow_exception(thrown);
      Rethrow(message.body);
    }
    End("it sent what is no answer to " + std::string(wire::FindWords(function)));
    break;
  }
  ThrowUnanswered(function, found, Clock::now() >= deadline);
}

// The process waits for an answer, whatever goes wrong here.
std::string Worker::AnswerQuestion(const wire::Message& question, const Answerer& answerer,
                                   std::exception_ptr& thrown) const {
  const Worker* const before = std::exchange(answering, this);
  std::string answer;
  try {
    answer = answerer(question);
  } catch (...) {
    if (!thrown) thrown = std::current_exception();
    answer = Writer().Put(Status::kFailure).Put(LayerId{0}).Get();
  }
  answering = before;
  return answer;
}

// Null: the process is ended for it.
std::unique_ptr<Reply> Worker::TakeAnswer(wire::Message answer, Function function) {
  wire::Reader reader(answer.body);
  const auto num_notices = reader.Take<std::uint64_t>();
  if (!reader.IsWhole()) {
    EndForPart(function);
    return nullptr;
  }
  if (!WaitForNotices(num_notices)) return nullptr;
  return std::make_unique<Reply>(std::move(answer), sizeof(num_notices));
}

void Worker::ThrowUnanswered(Function function, wire::Found found, bool is_late) {
  if (found == wire::Found::kNonsense) {
    End("what it answered to " + std::string(wire::FindWords(function)) + " is no message");
  } else if (is_late) {
    End("it did not answer " + std::string(wire::FindWords(function)) + " within " +
        std::to_string(GetTimeout(function).count()) + " ms");
  } else {
    WaitForEndOfSilent();
  }
  throw DiagnosticException(GetDeath());
}

// A run waits for what it needs as long as for its work.
void Worker::AwaitWithinLimit() {
  // How long an answer may take when the limit is reached, before the process is ended.
  constexpr milliseconds kGrace{100};
  constexpr milliseconds kLongest{1'000};
  WorkLimit* const limit = WorkLimitScope::GetCurrent();
  if (limit == nullptr) return;
  const auto has_come = [this](milliseconds wait) {
    pollfd event{process_.GetCallSocket(), POLLIN, 0};
    return poll(&event, 1, static_cast<int>(wait.count())) > 0;
  };
  while (!has_come(std::min(kLongest, std::chrono::ceil<milliseconds>(limit->GetWait())))) {
    if (!limit->IsReached()) continue;
    if (has_come(kGrace)) return;
    EndForRun(limit->GetReason());
    GetDeath();  // the next run must not meet it
    ThrowLimitReached(*plan_);
  }
}

// It has closed the socket, as its end does a moment before that is known.
void Worker::WaitForEndOfSilent() {
  constexpr milliseconds kLongest{2'000};
  if (process_.WaitForEnd(std::min(kLongest, plan_->settings.call_timeout))) return;
  End("it closed the socket over which it is asked");
}

// A process that is not asked has nothing to answer, and one that has gone is not asked.
void Worker::EndUnlessSilent() {
  if (answering == this || HasEnded()) return;
  const CallLock lock(call_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another thread asks it
  char byte = 0;
  const ssize_t bytes = recv(process_.GetCallSocket(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (bytes < 0 && errno == EAGAIN) return;
  if (bytes > 0) {
    End("it wrote to the socket over which it is asked, and was asked nothing");
  } else {
    WaitForEndOfSilent();
  }
  process_.WaitForEnd();
}

void Worker::Rethrow(const std::string& text) {
  auto thrown = wire::Reader(text).Take<serving::ThrownText>();
  const std::string named = NameLimitsMet(thrown.what, plan_->settings);
  const bool has_met_limit = named != thrown.what;
  thrown.what = named;
  // It would fail in whatever comes next.
  if (has_met_limit && !HasEnded() && HasUsedUpLimit(GetProcessId(), plan_->settings)) {
    End("it has used up what it may have by its limits");
    GetDeath();
  }
  serving::Rethrow(thrown);
}

void Worker::Destroy(std::uint64_t id) noexcept {
  if (IsForked() || HasEnded()) return;
  try {
    objects_.AddGone(id);
    if (answering == this) return;
    const CallLock lock = LockCalls();
    SendWhatIsGone();
  } catch (...) {
    // Its process has ended, or it goes with the next call.
  }
}

void Worker::SendWhatIsGone() {
  for (const std::uint64_t id : objects_.TakeGone()) {
    try {
      Ask(Function::kDestroy, Writer().Put(id));
    } catch (const DiagnosticException&) {
      throw;
    } catch (...) {
      plugin_call::ReportDestructorException(GetBackendId());
    }
  }
  for (auto next = shown_areas_.begin(); next != shown_areas_.end();) {
    if (!next->second.expired()) {
      ++next;
      continue;
    }
    const std::uint64_t id = next->first;
    next = shown_areas_.erase(next);
    Ask(Function::kDropArea, Writer().Put(id));
  }
}

void Worker::SendArea(const std::shared_ptr<SharedArea>& area) {
  if (!area || shown_areas_.count(area->GetId()) != 0) return;
  const Writer body = Writer().Put(area->GetId()).Put(area->GetSizeBytes());
  area->ForbidMoreSeals();
  std::string refusal = "out of memory";
  try {
    const auto reply = Ask(Function::kAddArea, body, {area->GetDescriptor()});
    if (reply->reader.Take<Status>() == Status::kSuccess) {
      shown_areas_[area->GetId()] = area;
      return;
    }
  } catch (const std::runtime_error& thrown) {
    refusal = thrown.what();
  }
  End("it cannot be given any more tensors (" + refusal + ")");
  throw DiagnosticException(GetDeath());
}

std::shared_ptr<SharedArea> Worker::FindArea(std::uint64_t id) const {
  const CallLock lock = LockCalls();
  const auto found = shown_areas_.find(id);
  return found == shown_areas_.end() ? nullptr : found->second.lock();
}

}  // namespace backplane::isolation
