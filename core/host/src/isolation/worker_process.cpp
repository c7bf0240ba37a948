#include "isolation/worker_process.hpp"

#include <backplane/host/blocked_signals.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

namespace backplane::isolation {
namespace {

using wire::FileDescriptor;
using Clock = std::chrono::steady_clock;

// The program ends what it watches by itself; this is for one that cannot.
constexpr std::chrono::seconds kGrace{5};
constexpr int kStepMs = 50;
constexpr std::chrono::milliseconds kSilence{100};
constexpr std::size_t kMaxAccountBytes = std::size_t{8} << 20U;
constexpr std::size_t kMaxLineBytes = 4096;

bool MakeSockets(FileDescriptor& ours, FileDescriptor& theirs) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  ours = FileDescriptor(ends[0]);
  theirs = spawn::MoveUp(FileDescriptor(ends[1]));
  return theirs.IsOpen();
}

bool MakePipe(FileDescriptor& ours, FileDescriptor& theirs) {
  auto pipe = spawn::MakePipe();
  if (!pipe) return false;
  ours = std::move(pipe->read);
  theirs = std::move(pipe->write);
  return true;
}

}  // namespace

WorkerProcess::WorkerProcess(WorkerListener listener)
    : listener_(std::move(listener)), stop_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void WorkerProcess::Start(WorkerStart start) {
  const bool has_pipes = stop_.IsOpen() && MakeSockets(calls_, calls_of_child_) &&
                         MakeSockets(notices_, notices_of_child_) &&
                         MakePipe(account_, account_of_child_) &&
                         MakePipe(output_, output_of_child_);
  if (!has_pipes) {
    end_.start_error = errno;
    // A caller would otherwise wait for an end that this process holds itself.
    for (FileDescriptor* const open :
         {&calls_, &calls_of_child_, &notices_, &notices_of_child_, &account_, &account_of_child_,
          &output_, &output_of_child_}) {
      *open = FileDescriptor();
    }
    listener_.on_end(end_);
    has_ended_ = true;
    return;
  }
  fcntl(output_.Get(), F_SETFL, O_NONBLOCK);
  const BlockedSignals inherited;
  // A process is ended with the thread that started it, so one stays as long.
  thread_ = std::thread([this, start = std::move(start)]() mutable { Watch(std::move(start)); });
  pthread_setname_np(thread_.native_handle(), "backplane-child");
}

WorkerProcess::~WorkerProcess() {
  Finish();
}

void WorkerProcess::Finish() {
  // The thread is the parent's: here it can be neither joined nor detached.
  if (num_forks_ != CountForks()) new (&thread_) std::thread;
  if (!thread_.joinable()) return;
  // What reads there ends with its end, in good order.
  shutdown(calls_.Get(), SHUT_RDWR);
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(2), [this] { return HasEnded(); });
  }
  Terminate();
  thread_.join();
}

void WorkerProcess::Terminate() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(stop_.Get(), &one, sizeof(one)));
}

void WorkerProcess::WaitForEnd() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return HasEnded(); });
}

bool WorkerProcess::WaitForEndFor(std::chrono::milliseconds timeout) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, timeout, [this] { return HasEnded(); });
}

bool WorkerProcess::WaitForNotices(std::uint64_t count, std::chrono::milliseconds timeout) {
  if (num_notices_.load(std::memory_order_acquire) >= count) return true;
  std::unique_lock<std::mutex> lock(mutex_);
  bool is_true = true;
  changed_.wait_for(lock, timeout, [&] {
    if (HasEnded() || num_notices_.load() >= count) return true;
    is_true = has_notices_ && (is_taking_notices_ || CanHaveSent(count));
    return !is_true;
  });
  return is_true;
}

/// With the mutex, and while none is being taken: what was sent lies in the socket.
bool WorkerProcess::CanHaveSent(std::uint64_t count) const {
  int bytes = 0;
  if (ioctl(notices_.Get(), FIONREAD, &bytes) != 0 || bytes <= 0) return false;
  // One may have been taken in part.
  const std::uint64_t most = 1 + static_cast<std::uint64_t>(bytes) / wire::kMinMessageBytes;
  return count - num_notices_.load() <= most;
}

void WorkerProcess::Watch(WorkerStart start) {
  spawn::ChildProgram child;
  child.program = std::move(start.program);
  child.arguments = probing::EncodeRequest(start.request);
  child.environment = std::move(start.environment);
  child.descriptors = {account_of_child_.Get(), calls_of_child_.Get(), notices_of_child_.Get(),
                       output_of_child_.Get()};
  const std::unique_ptr<StartedWorker> started = start.starter(child, end_.start_error);
  end_.is_started = started != nullptr;
  account_of_child_ = FileDescriptor();
  calls_of_child_ = FileDescriptor();
  notices_of_child_ = FileDescriptor();
  output_of_child_ = FileDescriptor();
  if (started) Follow(*started);
  // Whoever waits for an answer gets none.
  shutdown(calls_.Get(), SHUT_RDWR);
  listener_.on_end(end_);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    has_ended_.store(true, std::memory_order_release);
  }
  changed_.notify_all();
}

/// Nothing here waits for the other side, which may say a part of something and nothing more.
void WorkerProcess::Follow(StartedWorker& started) {
  std::string account;
  bool is_reading = true;
  Clock::time_point kill_at = Clock::time_point::max();
  while (is_reading) {
    pollfd events[] = {{account_.Get(), POLLIN, 0},
                       {has_notices_ ? notices_.Get() : -1, POLLIN, 0},
                       {output_.Get(), POLLIN, 0},
                       {kill_at == Clock::time_point::max() ? stop_.Get() : -1, POLLIN, 0}};
    const bool is_timed = std::min(kill_at, silent_at_) != Clock::time_point::max();
    const int wait_ms = is_timed ? kStepMs : -1;
    if (poll(events, std::size(events), wait_ms) < 0 && errno != EINTR) break;
    if (events[1].revents != 0) TakeNotices();
    if (events[2].revents != 0) TakeOutput();
    if (events[3].revents != 0) {
      started.Terminate();
      kill_at = Clock::now() + kGrace;
    }
    if (Clock::now() >= kill_at) started.Kill();
    CheckSilence();
    if (events[0].revents == 0) continue;
    char buffer[16384];
    const ssize_t bytes = read(account_.Get(), buffer, sizeof(buffer));
    if (bytes > 0) account.append(buffer, static_cast<std::size_t>(bytes));
    const bool is_over = bytes == 0 || (bytes < 0 && errno != EINTR);
    is_reading = !is_over && !probing::IsWholeAccount(account, sizeof(buffer)) &&
                 account.size() < kMaxAccountBytes;
  }
  // All that it wrote before its end is there. A process that it left behind writes nothing more.
  shutdown(notices_.Get(), SHUT_RD);
  while (has_notices_) TakeNotices();
  TakeOutput();
  for (Line& line : lines_) PassLines(line, &line == &lines_[1], "\n");
  started.Kill();
  end_.how = started.Reap();
  end_.received = probing::DecodeAccount(account);
}

/// Its end closes the socket of notices too, a moment before that is known.
void WorkerProcess::CheckSilence() {
  if (Clock::now() < silent_at_) return;
  silent_at_ = Clock::time_point::max();
  listener_.on_silence();
}

/// Some of what has come, so that nobody who writes without an end keeps this from the rest.
void WorkerProcess::TakeNotices() {
  constexpr int kMostAtOnce = 64;
  const auto mark = [this](bool is_taking) {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_taking_notices_ = is_taking;
  };
  mark(true);
  auto found = wire::Inbox::Found::kMessage;
  for (int i = 0; i < kMostAtOnce && found == wire::Inbox::Found::kMessage; ++i) {
    wire::Message notice;
    found = inbox_.Take(notices_.Get(), notice);
    if (found != wire::Inbox::Found::kMessage) break;
    listener_.on_notice(notice);
    num_notices_.fetch_add(1, std::memory_order_release);
    changed_.notify_all();
  }
  if (found == wire::Inbox::Found::kNonsense) listener_.on_nonsense();
  if (found == wire::Inbox::Found::kOtherSideGone) silent_at_ = Clock::now() + kSilence;
  const bool may_have_more =
      found == wire::Inbox::Found::kMessage || found == wire::Inbox::Found::kNotYet;
  if (!may_have_more) has_notices_ = false;
  mark(false);
  changed_.notify_all();
}

/// As TakeNotices.
void WorkerProcess::TakeOutput() {
  constexpr int kMostReads = 16;
  char buffer[16384];
  for (int i = 0; i < kMostReads; ++i) {
    const ssize_t bytes = read(output_.Get(), buffer, sizeof(buffer));
    // What is closed would be ready for ever.
    if (bytes == 0) output_ = FileDescriptor();
    if (bytes <= 0) break;
    output_bytes_.append(buffer, static_cast<std::size_t>(bytes));
  }
  constexpr std::size_t kFrameBytes = 1 + sizeof(std::uint16_t);
  std::string_view rest = output_bytes_;
  while (rest.size() >= kFrameBytes) {
    std::uint16_t size_bytes = 0;
    std::memcpy(&size_bytes, rest.data() + 1, sizeof(size_bytes));
    if (rest.size() < kFrameBytes + size_bytes) break;
    const bool is_error = rest.front() == 'e';
    PassLines(lines_[is_error ? 1 : 0], is_error, rest.substr(kFrameBytes, size_bytes));
    rest.remove_prefix(kFrameBytes + size_bytes);
  }
  output_bytes_.erase(0, output_bytes_.size() - rest.size());
}

void WorkerProcess::PassLines(Line& line, bool is_error, std::string_view bytes) {
  for (const char character : bytes) {
    if (character != '\n' && line.begun.size() < kMaxLineBytes) {
      line.begun += character;
    } else {
      if (!line.begun.empty()) listener_.on_output(is_error, line.begun);
      line.begun.clear();
    }
  }
}

}  // namespace backplane::isolation
