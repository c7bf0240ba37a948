#include "isolation/worker_process.hpp"

#include "spawn/ends.hpp"

#include <backplane/host/blocked_signals.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

class WorkerOfProgram final : public StartedWorker {
 public:
  explicit WorkerOfProgram(pid_t process) : process_(process) {}
  void Terminate() override { process_.Terminate(); }
  void Kill() override { process_.Kill(); }
  std::string Reap() override { return spawn::DescribeStatus(process_.Reap()); }

 private:
  spawn::StartedProcess process_;
};

}  // namespace

std::unique_ptr<StartedWorker> StartWorkerProcess(spawn::ChildProgram& program, int& error) {
  pid_t process = -1;
  error = spawn::StartProgram(program, process);
  if (error != 0) return nullptr;
  return std::make_unique<WorkerOfProgram>(process);
}

WorkerProcess::WorkerProcess(WorkerListener& listener)
    : listener_(listener), stop_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void WorkerProcess::Start(spawn::ChildProgram child, const WorkerStarter& starter) {
  Descriptors theirs;  // in the order in which the program expects them
  const bool has_pipes = stop_.IsOpen() && MakePipe(account_, theirs[0]) &&
                         MakeSockets(calls_, theirs[1]) && MakeSockets(notices_, theirs[2]) &&
                         MakePipe(output_, theirs[3]);
  if (!has_pipes) {
    end_.start_error = errno;
    // A caller would otherwise wait for an end that this process holds itself.
    for (FileDescriptor* const own : {&calls_, &notices_, &account_, &output_}) {
      *own = FileDescriptor();
    }
    theirs = Descriptors();
    listener_.OnEnd(end_);
    has_ended_ = true;
    return;
  }
  fcntl(output_.Get(), F_SETFL, O_NONBLOCK);
  const BlockedSignals inherited;
  // A process is ended with the thread that started it, so one stays as long.
  thread_ =
      std::thread([this, child = std::move(child), starter, theirs = std::move(theirs)]() mutable {
        Watch(std::move(child), starter, std::move(theirs));
      });
  pthread_setname_np(thread_.native_handle(), "backplane-child");
}

void WorkerProcess::Finish() {
  // The thread is the parent's: here it can be neither joined nor detached.
  if (num_forks_ != CountForks()) new (&thread_) std::thread;
  if (!thread_.joinable()) return;
  // The process reads until its socket ends, and then ends in good order.
  shutdown(calls_.Get(), SHUT_RDWR);
  WaitForEnd(std::chrono::seconds(2));
  Terminate();
  thread_.join();
}

void WorkerProcess::Terminate() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(stop_.Get(), &one, sizeof(one)));
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

void WorkerProcess::Watch(spawn::ChildProgram child, const WorkerStarter& starter,
                          Descriptors theirs) {
  for (const FileDescriptor& descriptor : theirs) child.descriptors.push_back(descriptor.Get());
  const std::unique_ptr<StartedWorker> started = starter(child, end_.start_error);
  end_.is_started = started != nullptr;
  theirs = Descriptors();
  if (started) Follow(*started);
  // A thread that waits for an answer gets none.
  shutdown(calls_.Get(), SHUT_RDWR);
  listener_.OnEnd(end_);
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
  for (const bool is_error : {false, true}) PassLines(is_error, "\n");
  started.Kill();
  end_.how = started.Reap();
  end_.received = probing::DecodeAccount(account);
}

/// Its end closes the socket of notices too, a moment before that is known.
void WorkerProcess::CheckSilence() {
  if (Clock::now() < silent_at_) return;
  silent_at_ = Clock::time_point::max();
  listener_.End("it closed the socket of its log lines and events");
}

/// Some of what has come, so that nobody who writes without an end keeps this from the rest.
void WorkerProcess::TakeNotices() {
  constexpr int kMostAtOnce = 64;
  const auto mark = [this](bool is_taking) {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_taking_notices_ = is_taking;
  };
  mark(true);
  auto found = wire::Found::kMessage;
  for (int i = 0; i < kMostAtOnce && found == wire::Found::kMessage; ++i) {
    wire::Message notice;
    found = inbox_.Take(notices_.Get(), notice);
    if (found != wire::Found::kMessage) break;
    listener_.OnNotice(notice);
    num_notices_.fetch_add(1, std::memory_order_release);
    changed_.notify_all();
  }
  if (found == wire::Found::kNonsense) {
    listener_.End("what it wrote to the socket of its log lines and events is no message");
  }
  const bool may_have_more = found == wire::Found::kMessage || found == wire::Found::kNotYet;
  if (!may_have_more && found != wire::Found::kNonsense) silent_at_ = Clock::now() + kSilence;
  if (!may_have_more) has_notices_ = false;
  mark(false);
  changed_.notify_all();
}

/// Takes some of what has come, as TakeNotices does.
void WorkerProcess::TakeOutput() {
  constexpr int kMostReads = 16;
  char buffer[16384];
  for (int i = 0; i < kMostReads; ++i) {
    const ssize_t bytes = read(output_.Get(), buffer, sizeof(buffer));
    // A closed pipe would be ready for ever.
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
    PassLines(rest.front() == 'e', rest.substr(kFrameBytes, size_bytes));
    rest.remove_prefix(kFrameBytes + size_bytes);
  }
  output_bytes_.erase(0, output_bytes_.size() - rest.size());
}

void WorkerProcess::PassLines(bool is_error, std::string_view bytes) {
  std::string& line = lines_[is_error ? 1 : 0];
  for (const char character : bytes) {
    if (character != '\n' && line.size() < kMaxLineBytes) {
      line += character;
    } else {
      if (!line.empty()) listener_.OnOutput(is_error, line);
      line.clear();
    }
  }
}

}  // namespace backplane::isolation
