#include "isolation/worker_link.hpp"

#include "isolation/describe_worker.hpp"
#include "isolation/isolated_state.hpp"
#include "messages/channel.hpp"

#include <backplane/host/logging.hpp>

#include <sys/socket.h>
#include <sys/time.h>
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

void SetAnswerTimeout(int socket, std::chrono::milliseconds timeout) {
  timeval limit{};
  limit.tv_sec = timeout.count() / 1000;
  limit.tv_usec = (timeout.count() % 1000) * 1000;
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
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

void WorkerLink::AddFactoryId(const std::string& id) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  factory_ids_.insert(id);
}

bool WorkerLink::IsOwnFactory(const std::string& id) const {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  return factory_ids_.count(id) != 0;
}

std::unique_ptr<Reply> WorkerLink::Call(Function function, const Writer& body, CallExtras extras) {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  EnsureStarted();
  SendWhatIsGone();
  for (const auto& area : extras.areas) SendArea(area);
  return Ask(function, body.Get(), extras.descriptors, extras.answerer);
}

std::unique_ptr<Reply> WorkerLink::CallAndKeep(Function function, const Writer& body,
                                               std::shared_ptr<Step>& step, CallExtras extras) {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  auto kept = std::make_shared<Step>();
  kept->function = function;
  kept->body = body.Get();
  CallExtras now;
  now.areas = extras.areas;
  if (extras.answerer) {
    now.answerer = [&](const messages::Message& question) {
      return kept->answers.emplace_back(extras.answerer(question));
    };
  }
  EnsureStarted();
  SendWhatIsGone();
  for (const auto& area : extras.areas) SendArea(area);
  auto reply = Ask(function, kept->body, extras.descriptors, now.answerer);
  kept->areas = std::move(extras.areas);
  kept->descriptors = std::move(extras.descriptors);
  steps_[next_step_++] = kept;
  step = std::move(kept);
  return reply;
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
  const auto begin = Clock::now();
  bool is_sent = messages::Send(socket, MessageKind::kCall, function, body, numbers);
  while (is_sent) {
    auto message = messages::Receive(socket);
    if (!message) break;
    if (message->kind == MessageKind::kCall && answerer) {
      is_sent = messages::Send(socket, MessageKind::kAnswer, message->function, answerer(*message));
    } else if (message->kind == MessageKind::kAnswer && message->function == function) {
      messages::Reader reader(message->body);
      const auto num_notices = reader.Take<std::uint64_t>();
      process->WaitForNotices(num_notices);
      return std::make_unique<Reply>(std::move(*message), sizeof(num_notices));
    } else if (message->kind == MessageKind::kThrown) {
      messages::Rethrow(message->body);
    } else {
      End(generation, "it sent what is no answer to " + std::string(GetName(function)));
      break;
    }
  }
  if (!process->HasEnded()) {
    const bool is_late = Clock::now() - begin >= plan_.settings.call_timeout;
    if (is_late) {
      End(generation, "it did not answer " + std::string(GetName(function)) + " within " +
                          std::to_string(plan_.settings.call_timeout.count()) + " ms");
    } else if (!process->WaitForEndFor(std::chrono::seconds(2))) {
      End(generation, "what it answered to " + std::string(GetName(function)) + " is no message");
    }
  }
  throw DiagnosticException(GetDeath());
}

void WorkerLink::EnsureStarted() {
  if (process_ && !HasEnded(GetGeneration())) return;
  if (process_) {
    const Diagnostic death = GetDeath();
    if (call_depth_ > 0) throw DiagnosticException(death);
    CheckDeaths(death);
  }
  Start();
  Replay();
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

void WorkerLink::Start() {
  process_.reset();
  shown_areas_.clear();
  destroyed_meanwhile_.clear();
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    why_ended_.clear();
    death_.reset();
  }
  WorkerStart start;
  start.program = plan_.program;
  start.request.depth = probing::ProbeDepth::kServe;
  start.request.timeout = std::chrono::hours(24 * 365);
  start.request.max_data_bytes = plan_.settings.max_data_bytes;
  start.request.host_process = getpid();
  start.request.files = {plan_.file};
  start.environment = MakeWorkerEnvironment();
  const std::uint32_t generation = generation_.load() + 1;
  generation_.store(generation, std::memory_order_release);
  WorkerListener listener;
  listener.on_notice = [this](const messages::Message& notice) { OnNotice(notice); };
  listener.on_output = [this](bool is_error, std::string_view line) {
    const std::string text = std::string(is_error ? "stderr: " : "stdout: ") + std::string(line);
    plan_.logger->Log(is_error ? LogLevel::kWarning : LogLevel::kInfo, text.c_str());
  };
  listener.on_end = [this](const WorkerEnd& end) { OnEnd(end); };
  process_ = std::make_shared<WorkerProcess>(std::move(listener));
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    running_ = process_;
  }
  process_->Start(std::move(start));
  SetAnswerTimeout(process_->GetCallSocket(), plan_.settings.call_timeout);
  Writer open;
  open.Put(FindLeastLevel(*plan_.logger));
  process_id_ = Ask(Function::kOpen, open.Get(), {}, nullptr)->reader.Take<std::int64_t>();
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
    if (step->before_replay) step->before_replay();
    for (const auto& area : step->areas) SendArea(area);
    std::size_t num_asked = 0;
    Ask(step->function, step->body, step->descriptors, [&](const messages::Message& /*question*/) {
      return num_asked < step->answers.size() ? step->answers[num_asked++] : std::string();
    });
    for (const std::uint64_t id : step->destroyed) {
      Ask(Function::kDestroy, Writer().Put(id).Get(), {}, nullptr);
    }
  }
}

void WorkerLink::Destroy(std::uint64_t id, const std::shared_ptr<Step>& step) {
  const std::lock_guard<std::recursive_mutex> lock(call_mutex_);
  if (step) step->destroyed.push_back(id);
  if (!process_ || process_->HasEnded()) return;
  if (call_depth_ > 0) {
    destroyed_meanwhile_.push_back(id);
    return;
  }
  try {
    SendWhatIsGone();
    Ask(Function::kDestroy, Writer().Put(id).Get(), {}, nullptr);
  } catch (const DiagnosticException&) {
    return;  // it is gone with its process, and that was logged
  }
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
  auto reply = Ask(Function::kAddArea, writer.Get(), descriptors, nullptr);
  if (reply->reader.Take<Status>() != Status::kSuccess) throw std::bad_alloc();
  shown_areas_[area->GetId()] = area;
}

void WorkerLink::OnNotice(const messages::Message& notice) {
  messages::Reader reader(notice.body);
  if (notice.function == Function::kLogLine) {
    const auto level = reader.Take<LogLevel>();
    const std::string text(reader.TakeText());
    const auto number = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(level), 1, 5);
    plan_.logger->Log(static_cast<LogLevel>(number), text.c_str());
    return;
  }
  const std::lock_guard<std::mutex> lock(state_mutex_);
  const auto found = profilings_.find(reader.Take<std::uint64_t>());
  if (found == profilings_.end()) return;
  if (notice.function == Function::kTimelineEvent) {
    found->second->ReportTimelineEvent(messages::TakeTimelineEvent(reader));
  } else if (notice.function == Function::kCounterSamples) {
    const std::string_view bytes = reader.TakeText();
    std::vector<CounterSample> samples(bytes.size() / sizeof(CounterSample));
    if (samples.empty()) return;
    std::memcpy(samples.data(), bytes.data(), samples.size() * sizeof(CounterSample));
    found->second->ReportCounterSamples(samples.data(), static_cast<std::uint32_t>(samples.size()));
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
  process_id_ = -1;
  const std::lock_guard<std::mutex> lock(state_mutex_);
  WorkerDeath death;
  death.backend_id = plan_.backend_id;
  death.path = plan_.file.path;
  death.why_ended = why_ended_;
  for (const IsolatedState* const state : states_) {
    const std::string running = state->NameRunning();
    if (!running.empty()) death.running.push_back(running);
  }
  death_ = DescribeWorkerDeath(death, end);
  if (!is_closing_) Log(kChannel, LogLevel::kWarning, ToText(*death_));
  ended_generation_.store(GetGeneration(), std::memory_order_release);
  for (IsolatedState* const state : states_) state->Wake();
}

Diagnostic WorkerLink::GetDeath() {
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    process = running_.lock();
  }
  if (process) process->WaitForEnd();
  const std::lock_guard<std::mutex> lock(state_mutex_);
  return death_ ? *death_ : Diagnostic{DiagnosticCode::kWorkerEnded};
}

void WorkerLink::WaitForNotices(std::uint64_t count) {
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    process = running_.lock();
  }
  if (process) process->WaitForNotices(count);
}

std::unique_ptr<Diagnostic> WorkerLink::BeginRun(IExecutionState& state) noexcept {
  return static_cast<IsolatedState&>(state).BeginRun();
}

FinishedWork WorkerLink::Finish(IExecutionState& state,
                                std::optional<Clock::time_point> deadline) noexcept {
  return static_cast<IsolatedState&>(state).Finish(deadline);
}

}  // namespace backplane::isolation
