#include "isolation/worker_link.hpp"

#include "isolation/describe_worker.hpp"
#include "isolation/isolated_contexts.hpp"
#include "isolation/isolated_state.hpp"
#include "isolation/used_limit.hpp"
#include "messages/api_values.hpp"
#include "messages/channel.hpp"

#include <backplane/host/plugin_object.hpp>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace backplane::isolation {
namespace {

using messages::Function;
using messages::MessageKind;
using messages::Writer;

// Of what a backend asks during one call; it is kept, and may be much: constants, what it compiled.
constexpr std::uint64_t kMaxAskedBytes = std::uint64_t{2} << 30U;
constexpr std::uint64_t kBytesOfQuestion = 256;  // at least, with what keeps it

// How long an answer may take when the limit of a run is reached, before the process is ended.
constexpr std::chrono::milliseconds kGraceOfAnswer{100};

thread_local WorkLimit* call_bound = nullptr;

messages::Deadline AddTo(messages::Deadline begin, std::chrono::milliseconds timeout) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365);
  return begin + std::min(timeout, kLongest);
}

// Nothing is compiled before the first question is answered.
std::chrono::milliseconds GetTimeout(Function function, const IsolationSettings& settings) {
  constexpr std::chrono::milliseconds kLongestStart{30'000};
  return function == Function::kOpen ? std::min(kLongestStart, settings.call_timeout)
                                     : settings.call_timeout;
}

}  // namespace

void PutCallParts(Writer& writer, const IBackendContext* context, const BackendOptions* options) {
  writer.Put(GetContextId(context)).PutText(options != nullptr ? options->backend_id : "");
  messages::Put(writer, options != nullptr ? options->options : std::vector<BackendOption>());
}

WorkerLink::WorkerLink(WorkerPlan plan) : plan_(std::move(plan)) {}

WorkerLink::~WorkerLink() {
  is_closing_ = true;
  if (process_) process_->Finish();
}

void WorkerLink::RefuseFork() const {
  if (IsForked()) throw DiagnosticException(DescribeForked(GetBackendId(), owner_));
}

void WorkerLink::ThrowLimitReached() const {
  Diagnostic diagnostic{DiagnosticCode::kRunTimedOut};
  diagnostic.subject = {SubjectKind::kBackend, plan_.backend_id};
  diagnostic.what = "the process of backend \"" + plan_.backend_id + "\" was not ready for a run";
  diagnostic.why =
      "found that it starts, or works for another thread; expected it to answer before the run is "
      "over";
  diagnostic.fix = "allow more time, or load networks before others run";
  throw LimitReached(std::move(diagnostic));
}

// It asks now and then: the thread sanitizer knows no lock that waits until a time.
WorkerLink::CallLock WorkerLink::LockCalls() const {
  constexpr std::chrono::nanoseconds kBetween = std::chrono::microseconds(100);
  WorkLimit* const limit = call_bound;
  if (limit == nullptr) return CallLock(call_mutex_);
  CallLock lock(call_mutex_, std::try_to_lock);
  while (!lock.owns_lock()) {
    if (limit->IsReached()) ThrowLimitReached();
    std::this_thread::sleep_for(std::min(kBetween, limit->GetWait()));
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

void WorkerLink::AddState(IsolatedState* state) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  states_.insert(state);
}

void WorkerLink::RemoveState(IsolatedState* state) {
  if (IsForked()) return;
  const std::lock_guard<std::mutex> lock(state_mutex_);
  states_.erase(state);
}

void WorkerLink::AddProfiling(std::uint64_t id, IBackendProfiling* profiling) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  profilings_[id] = profiling;
}

void WorkerLink::RemoveProfiling(std::uint64_t id) {
  if (IsForked()) return;
  const std::lock_guard<std::mutex> lock(state_mutex_);
  profilings_.erase(id);
}

void WorkerLink::AddHandle(const ITensorHandle* handle) {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  handles_.insert(handle);
}

void WorkerLink::RemoveHandle(const ITensorHandle* handle) {
  if (IsForked()) return;
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
  if (generation != 0 && !HasEnded(generation) && !IsForked()) return nullptr;
  try {
    RefuseFork();
    const CallLock lock = LockCalls();
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
  RefuseFork();
  const CallLock lock = LockCalls();
  StartWith(areas);
  *generation = GetGeneration();
  return Ask(function, body, {}, nullptr);
}

std::unique_ptr<Reply> WorkerLink::CallSame(std::uint32_t generation, Function function,
                                            const Writer& body,
                                            const std::vector<std::shared_ptr<SharedArea>>& areas) {
  RefuseFork();
  const CallLock lock = LockCalls();
  if (GetGeneration() != generation || HasEnded(generation)) {
    throw DiagnosticException(GetDeath(generation));
  }
  for (const auto& area : areas) SendArea(area);
  return Ask(function, body.Get(), {}, nullptr);
}

std::unique_ptr<Reply> WorkerLink::CallAndKeep(const std::shared_ptr<Step>& step,
                                               const Answerer& answerer) {
  RefuseFork();
  const CallLock lock = LockCalls();
  StartWith(step->areas);
  Answerer keeping;
  if (answerer) {
    keeping = [&](const messages::Message& question) {
      std::string answer = answerer(question);
      step->answered.push_back({question.function, question.body, answer});
      return answer;
    };
  }
  auto reply = Ask(step->function, step->body, step->descriptors, keeping);
  step->answer = reply->GetAnswer();
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
  const std::chrono::milliseconds timeout = GetTimeout(function, plan_.settings);
  const auto deadline = AddTo(Clock::now(), timeout);
  std::uint64_t asked_bytes = 0;
  std::exception_ptr thrown;  // by this host
  auto missing = messages::Missing::kOtherSideGone;
  bool is_sent = messages::Send(socket, MessageKind::kCall, function, body, numbers, deadline);
  while (is_sent) {
    AwaitWithinBound(socket, generation);
    auto message = messages::Receive(socket, deadline, &missing);
    if (!message) break;
    if (message->kind == MessageKind::kCall && answerer) {
      asked_bytes += message->body.size() + kBytesOfQuestion;
      if (asked_bytes > kMaxAskedBytes) {
        End(generation,
            "it asked without an end during " + std::string(messages::FindWords(function)));
        break;
      }
      std::string answer;
      try {
        answer = answerer(*message);
      } catch (...) {
        // It waits for an answer, whatever went wrong here.
        if (!thrown) thrown = std::current_exception();
        answer = Writer().Put(Status::kFailure).Put(LayerId{0}).Get();
      }
      is_sent =
          messages::Send(socket, MessageKind::kAnswer, message->function, answer, {}, deadline);
    } else if (message->kind == MessageKind::kAnswer && message->function == function) {
      messages::Reader reader(message->body);
      const auto num_notices = reader.Take<std::uint64_t>();
      if (!reader.IsWhole()) {
        EndForPart(function);
        break;
      }
      if (!WaitForNotices(generation, num_notices)) break;
      if (thrown) std::rethrow_exception(thrown);
      return std::make_unique<Reply>(std::move(*message), sizeof(num_notices));
    } else if (message->kind == MessageKind::kThrown) {
      if (thrown) std::rethrow_exception(thrown);
      Rethrow(message->body);
    } else {
      End(generation, "it sent what is no answer to " + std::string(messages::FindWords(function)));
      break;
    }
  }
  if (missing == messages::Missing::kNonsense) {
    End(generation,
        "what it answered to " + std::string(messages::FindWords(function)) + " is no message");
  } else if (Clock::now() >= deadline) {
    End(generation, "it did not answer " + std::string(messages::FindWords(function)) + " within " +
                        std::to_string(timeout.count()) + " ms");
  } else {
    WaitForEndOfSilent(*process, generation);
  }
  throw DiagnosticException(GetDeath(generation));
}

// A run waits for what it needs as long as for its work.
void WorkerLink::AwaitWithinBound(int socket, std::uint32_t generation) {
  WorkLimit* const limit = call_bound;
  if (limit == nullptr) return;
  using std::chrono::milliseconds;
  const auto has_come = [socket](milliseconds wait) {
    pollfd event{socket, POLLIN, 0};
    return poll(&event, 1, static_cast<int>(wait.count())) > 0;
  };
  constexpr milliseconds kLongest{1'000};
  while (!has_come(std::min(kLongest, std::chrono::ceil<milliseconds>(limit->GetWait())))) {
    if (!limit->IsReached()) continue;
    if (has_come(kGraceOfAnswer)) return;
    EndForRun(generation, limit->GetReason());
    GetDeath(generation);  // the next run must not meet it
    ThrowLimitReached();
  }
}

// It has closed the socket, as its end does a moment before that is known.
void WorkerLink::WaitForEndOfSilent(WorkerProcess& process, std::uint32_t generation) {
  constexpr std::chrono::milliseconds kLongest{2'000};
  if (process.WaitForEndFor(std::min(kLongest, plan_.settings.call_timeout))) return;
  End(generation, "it closed the socket over which it is asked");
}

void WorkerLink::Rethrow(const std::string& thrown) {
  messages::Rethrow(thrown, [this](const std::string& what) {
    std::string named = NameLimitsMet(what, plan_.settings);
    if (named != what) EndWornOut();
    return named;
  });
}

// It would fail in whatever comes next.
void WorkerLink::EndWornOut() {
  const std::uint32_t generation = GetGeneration();
  if (HasEnded(generation) || !HasUsedUpLimit(GetProcessId(), plan_.settings)) return;
  End(generation, "it has used up what it may have by its limits");
  GetDeath(generation);
}

// What ends a process before anything is asked of it costs nothing but another one.
void WorkerLink::StartWith(const std::vector<std::shared_ptr<SharedArea>>& areas) {
  for (bool is_again = false;; is_again = true) {
    EnsureStarted();
    try {
      SendWhatIsGone();
      for (const auto& area : areas) SendArea(area);
      return;
    } catch (const DiagnosticException&) {
      if (is_again || call_depth_ > 0) throw;
    }
  }
}

void WorkerLink::CallIfRunning(Function function, const Writer& body) {
  if (IsForked()) return;
  const CallLock lock = LockCalls();
  if (!process_ || process_->HasEnded()) return;
  try {
    SendWhatIsGone();
    Ask(function, body.Get(), {}, nullptr);
  } catch (const DiagnosticException&) {
    return;  // it is gone with its process, and that was logged
  }
}

void WorkerLink::Destroy(std::uint64_t id, const std::shared_ptr<Step>& step) {
  if (IsForked()) return;
  const CallLock lock = LockCalls();
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
  const CallLock lock = LockCalls();
  if (!process_ || process_->HasEnded()) return;  // shown with the next one
  SendArea(area);
}

void WorkerLink::SendArea(const std::shared_ptr<SharedArea>& area) {
  if (shown_areas_.count(area->GetId()) != 0) return;
  std::vector<discovery::FileDescriptor> descriptors;
  descriptors.emplace_back(dup(area->GetDescriptor()));
  // It is this process that has no more of them.
  if (!descriptors.back().IsOpen()) throw std::system_error(errno, std::generic_category(), "dup");
  Writer writer;
  writer.Put(area->GetId()).Put(area->GetSizeBytes());
  area->ForbidMoreSeals();
  std::string refusal = "out of memory";
  try {
    const auto reply = Ask(Function::kAddArea, writer.Get(), descriptors, nullptr);
    if (reply->reader.Take<Status>() == Status::kSuccess) {
      shown_areas_[area->GetId()] = area;
      return;
    }
  } catch (const std::runtime_error& thrown) {
    refusal = thrown.what();
  }
  const std::uint32_t generation = GetGeneration();
  End(generation, "it cannot be given any more tensors (" + refusal + ")");
  throw DiagnosticException(GetDeath(generation));
}

std::shared_ptr<SharedArea> WorkerLink::FindArea(std::uint64_t id) const {
  const CallLock lock = LockCalls();
  const auto found = shown_areas_.find(id);
  return found == shown_areas_.end() ? nullptr : found->second.lock();
}

void WorkerLink::CheckWhole(const Reply& reply) {
  if (reply.reader.IsWhole()) return;
  EndForPart(reply.message.function);
  throw DiagnosticException(GetDeath(GetGeneration()));
}

void WorkerLink::EndForPart(Function function) {
  End(GetGeneration(),
      "what it answered to " + std::string(messages::FindWords(function)) + " is not whole");
}

void WorkerLink::SetLimit(IExecutionState& state, WorkLimit* limit) noexcept {
  static_cast<IsolatedState&>(state).SetLimit(limit);
}

FinishedWork WorkerLink::Finish(IExecutionState& state) noexcept {
  return static_cast<IsolatedState&>(state).Finish();
}

const IWorkload* WorkerLink::FindRunning(const IExecutionState& state) const noexcept {
  return static_cast<const IsolatedState&>(state).FindRunning();
}

bool WorkerLink::HasEnded(const IExecutionState& state) const noexcept {
  return HasEnded(static_cast<const IsolatedState&>(state).GetGeneration());
}

}  // namespace backplane::isolation

namespace backplane {

WorkLimitScope::WorkLimitScope(WorkLimit* limit) noexcept
    : before_(std::exchange(isolation::call_bound, limit)) {}

WorkLimitScope::~WorkLimitScope() {
  isolation::call_bound = before_;
}

}  // namespace backplane
