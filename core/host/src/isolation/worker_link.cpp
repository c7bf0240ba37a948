#include "isolation/worker_link.hpp"

#include "isolation/describe_worker.hpp"
#include "isolation/isolated_contexts.hpp"
#include "isolation/isolated_state.hpp"
#include "isolation/worker_environment.hpp"
#include "messages/api_values.hpp"
#include "messages/channel.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/plugin_object.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace backplane::isolation {
namespace {

using messages::Function;
using messages::MessageKind;
using messages::Writer;

constexpr char kChannel[] = "isolation";

// Of what a backend asks during one call; it is kept, and may be much: constants, what it compiled.
constexpr std::uint64_t kMaxAskedBytes = std::uint64_t{2} << 30U;
constexpr std::uint64_t kBytesOfQuestion = 256;  // at least, with what keeps it

messages::Deadline AddTo(messages::Deadline begin, std::chrono::milliseconds timeout) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365);
  return begin + std::min(timeout, kLongest);
}

std::uint32_t FindLeastLevel(const ILogger& logger) {
  for (std::uint32_t level = 1; level <= static_cast<std::uint32_t>(LogLevel::kError); ++level) {
    if (logger.IsEnabled(static_cast<LogLevel>(level))) return level;
  }
  return static_cast<std::uint32_t>(LogLevel::kError) + 1;
}

const char* GetName(Function function) {
  constexpr const char* kNames[] = {
#define BACKPLANE_MESSAGE(name) #name,
#include "messages/functions.def"
#undef BACKPLANE_MESSAGE
  };
  return kNames[static_cast<std::size_t>(function)];
}

}  // namespace

void PutCallParts(Writer& writer, const IBackendContext* context, const BackendOptions* options) {
  writer.Put(GetContextId(context)).PutText(options != nullptr ? options->backend_id : "");
  messages::Put(writer, options != nullptr ? options->options : std::vector<BackendOption>());
}

WorkerLink::WorkerLink(WorkerPlan plan) : plan_(std::move(plan)) {}

WorkerLink::~WorkerLink() {
  is_closing_ = true;
  process_.reset();
}

void WorkerLink::AddState(IsolatedState* state) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  states_.insert(state);
}

void WorkerLink::RemoveState(IsolatedState* state) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  states_.erase(state);
}

void WorkerLink::AddProfiling(std::uint64_t id, IBackendProfiling* profiling) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  profilings_[id] = profiling;
}

void WorkerLink::RemoveProfiling(std::uint64_t id) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  profilings_.erase(id);
}

void WorkerLink::AddHandle(const ITensorHandle* handle) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  handles_.insert(handle);
}

void WorkerLink::RemoveHandle(const ITensorHandle* handle) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  handles_.erase(handle);
  handle_epoch_.fetch_add(1, std::memory_order_release);
}

bool WorkerLink::IsOwnHandle(const ITensorHandle* handle) const {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  return handles_.count(handle) != 0;
}

void WorkerLink::AddFactoryId(const std::string& id) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  factory_ids_.insert(id);
}

bool WorkerLink::IsOwnFactory(const std::string& id) const {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  return factory_ids_.count(id) != 0;
}

std::unique_ptr<Diagnostic> WorkerLink::Start() noexcept {
  const std::uint32_t generation = GetGeneration();
  if (generation != 0 && !HasEnded(generation)) return nullptr;
  try {
    const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
    EnsureStarted();
    return nullptr;
  } catch (...) {
    return plugin_call::DescribeCurrentException(plan_.backend_id, "the start of its process");
  }
}

std::unique_ptr<Reply> WorkerLink::Call(Function function, const Writer& body,
                                        const std::vector<std::shared_ptr<SharedArea>>& areas) {
  std::uint32_t generation = 0;
  return CallForGeneration(function, body.Get(), areas, &generation);
}

std::unique_ptr<Reply> WorkerLink::CallForGeneration(
    Function function, const std::string& body,
    const std::vector<std::shared_ptr<SharedArea>>& areas, std::uint32_t* generation) {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  EnsureStarted();
  SendWhatIsGone();
  for (const auto& area : areas) SendArea(area);
  *generation = GetGeneration();
  return Ask(function, body, {}, nullptr);
}

std::unique_ptr<Reply> WorkerLink::CallAndKeep(const std::shared_ptr<Step>& step,
                                               const Answerer& answerer) {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  EnsureStarted();
  SendWhatIsGone();
  for (const auto& area : step->areas) SendArea(area);
  Answerer keeping;
  if (answerer) {
    keeping = [&](const messages::Message& question) {
      std::string answer = answerer(question);
      step->answered.push_back({question.function, question.body, answer});
      return answer;
    };
  }
  auto reply = Ask(step->function, step->body, step->descriptors, keeping);
  ForgetSteps();
  steps_[next_step_++] = step;
  return reply;
}

// Those that nobody holds any more; seldom, so that it costs nothing for each.
void WorkerLink::ForgetSteps() {
  constexpr std::size_t kLeast = 64;
  if (steps_.size() < kLeast || steps_.size() < 2 * num_steps_at_sweep_) return;
  for (auto next = steps_.begin(); next != steps_.end();) {
    next = next->second.expired() ? steps_.erase(next) : std::next(next);
  }
  num_steps_at_sweep_ = steps_.size();
}

std::unique_ptr<Reply> WorkerLink::Ask(Function function, std::string_view body,
                                       const std::vector<discovery::FileDescriptor>& descriptors,
                                       const Answerer& answerer) {
  const std::uint32_t generation = GetGeneration();
  const std::shared_ptr<WorkerProcess> process = process_;
  std::vector<int> numbers;
  for (const auto& descriptor : descriptors) numbers.push_back(descriptor.Get());
  ++call_depth_;
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } const leave{call_depth_};
  const int socket = process->GetCallSocket();
  const auto deadline = AddTo(Clock::now(), plan_.settings.call_timeout);
  std::uint64_t asked_bytes = 0;
  bool is_sent = messages::Send(socket, MessageKind::kCall, function, body, numbers, deadline);
  while (is_sent) {
    auto message = messages::Receive(socket, deadline);
    if (!message) break;
    if (message->kind == MessageKind::kCall && answerer) {
      asked_bytes += message->body.size() + kBytesOfQuestion;
      if (asked_bytes > kMaxAskedBytes) {
        End(generation, "it asked without an end during " + std::string(GetName(function)));
        break;
      }
      is_sent = messages::Send(socket, MessageKind::kAnswer, message->function, answerer(*message),
                               {}, deadline);
    } else if (message->kind == MessageKind::kAnswer && message->function == function) {
      messages::Reader reader(message->body);
      const auto num_notices = reader.Take<std::uint64_t>();
      if (!reader.IsWhole()) {
        EndForPart(function);
        break;
      }
      if (!WaitForNotices(generation, num_notices)) break;
      return std::make_unique<Reply>(std::move(*message), sizeof(num_notices));
    } else if (message->kind == MessageKind::kThrown) {
      Rethrow(message->body);
    } else {
      End(generation, "it sent what is no answer to " + std::string(GetName(function)));
      break;
    }
  }
  if (!process->HasEnded()) {
    if (Clock::now() >= deadline) {
      End(generation, "it did not answer " + std::string(GetName(function)) + " within " +
                          std::to_string(plan_.settings.call_timeout.count()) + " ms");
    } else if (!process->WaitForEndFor(
                   std::min(std::chrono::milliseconds(2000), plan_.settings.call_timeout))) {
      End(generation, "what it answered to " + std::string(GetName(function)) + " is no message");
    }
  }
  throw DiagnosticException(GetDeath(generation));
}

void WorkerLink::Rethrow(const std::string& thrown) const {
  messages::Rethrow(
      thrown, [this](std::string what) { return NameLimitsMet(std::move(what), plan_.settings); });
}

void WorkerLink::EnsureStarted() {
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

void WorkerLink::CheckDeaths(const Diagnostic& last) {
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
  process_.reset();
  shown_areas_.clear();
  destroyed_meanwhile_.clear();
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    why_ended_.clear();
  }
  WorkerStart start;
  start.program = plan_.program;
  start.request.depth = probing::ProbeDepth::kServe;
  start.request.timeout = std::chrono::hours(24 * 365);
  start.request.max_data_bytes = plan_.settings.max_data_bytes;
  start.request.host_process = getpid();
  start.request.files = {plan_.file};
  start.request.sandbox = plan_.sandbox;
  start.environment = MakeWorkerEnvironment(environ, plan_.settings.environment);
  start.starter = plan_.starter;
  const std::uint32_t generation = generation_.load() + 1;
  generation_.store(generation, std::memory_order_release);
  WorkerListener listener;
  listener.on_notice = [this](const messages::Message& notice) { OnNotice(notice); };
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
    Log(kChannel, LogLevel::kWarning,
        "backend \"" + plan_.backend_id + "\" runs in a new process, its " +
            std::to_string(generation) + "th, with everything that is loaded");
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
    Ask(step->function, step->body, step->descriptors,
        [&](const messages::Message& question) { return again.Answer(question); });
    for (const std::uint64_t id : step->destroyed) {
      Ask(Function::kDestroy, Writer().Put(id).Get(), {}, nullptr);
    }
  }
}

void WorkerLink::CallIfRunning(Function function, const Writer& body) {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  if (!process_ || process_->HasEnded()) return;
  try {
    SendWhatIsGone();
    Ask(function, body.Get(), {}, nullptr);
  } catch (const DiagnosticException&) {
    return;  // it is gone with its process, and that was logged
  }
}

void WorkerLink::Destroy(std::uint64_t id, const std::shared_ptr<Step>& step) {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  if (step) step->destroyed.push_back(id);
  if (call_depth_ > 0) {
    destroyed_meanwhile_.push_back(id);
    return;
  }
  CallIfRunning(Function::kDestroy, Writer().Put(id));
}

void WorkerLink::SendWhatIsGone() {
  for (const std::uint64_t id : std::exchange(destroyed_meanwhile_, {})) {
    Ask(Function::kDestroy, Writer().Put(id).Get(), {}, nullptr);
  }
  for (auto next = shown_areas_.begin(); next != shown_areas_.end();) {
    if (!next->second.expired()) {
      ++next;
      continue;
    }
    const std::uint64_t id = next->first;
    next = shown_areas_.erase(next);
    Ask(Function::kDropArea, Writer().Put(id).Get(), {}, nullptr);
  }
}

void WorkerLink::Show(const std::shared_ptr<SharedArea>& area) {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  if (!process_ || process_->HasEnded()) return;  // shown with the next one
  SendArea(area);
}

void WorkerLink::SendArea(const std::shared_ptr<SharedArea>& area) {
  if (shown_areas_.count(area->GetId()) != 0) return;
  std::vector<discovery::FileDescriptor> descriptors;
  descriptors.emplace_back(dup(area->GetDescriptor()));
  Writer writer;
  writer.Put(area->GetId()).Put(area->GetSizeBytes());
  area->ForbidMoreSeals();
  auto reply = Ask(Function::kAddArea, writer.Get(), descriptors, nullptr);
  if (reply->reader.Take<Status>() != Status::kSuccess) throw std::bad_alloc();
  shown_areas_[area->GetId()] = area;
}

std::shared_ptr<SharedArea> WorkerLink::FindArea(std::uint64_t id) const {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  const auto found = shown_areas_.find(id);
  return found == shown_areas_.end() ? nullptr : found->second.lock();
}

void WorkerLink::CheckWhole(const Reply& reply) {
  if (reply.reader.IsWhole()) return;
  EndForPart(reply.message.function);
  throw DiagnosticException(GetDeath(GetGeneration()));
}

void WorkerLink::EndForPart(Function function) {
  End(GetGeneration(), "what it answered to " + std::string(GetName(function)) + " is not whole");
}

void WorkerLink::PassLine(LogLevel level, const std::string& text) {
  if (!lines_.Take(Clock::now())) return;
  LogLinesLeftOut();
  static_cast<void>(plan_.logger->Log(level, text.c_str()));
}

void WorkerLink::LogLinesLeftOut() {
  const std::uint64_t num_left_out = lines_.TakeNumLeftOut();
  if (num_left_out == 0) return;
  const std::string text = std::to_string(num_left_out) + " lines were left out: more than " +
                           std::to_string(LineBudget::kMostInASecond) + " came in a second";
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
  if (!is_closing_) Log(kChannel, LogLevel::kWarning, ToText(diagnostic));
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

bool WorkerLink::WaitFor(IExecutionState& state, std::chrono::nanoseconds time) noexcept {
  return static_cast<IsolatedState&>(state).WaitFor(time);
}

FinishedWork WorkerLink::Finish(IExecutionState& state) noexcept {
  return static_cast<IsolatedState&>(state).Finish();
}

void WorkerLink::Cancel(IExecutionState& state) noexcept {
  static_cast<IsolatedState&>(state).Cancel();
}

bool WorkerLink::HasEnded(const IExecutionState& state) const noexcept {
  return HasEnded(static_cast<const IsolatedState&>(state).GetGeneration());
}

void WorkerLink::End(IExecutionState& state, const std::string& why) noexcept {
  End(static_cast<IsolatedState&>(state).GetGeneration(), why);
}

}  // namespace backplane::isolation
