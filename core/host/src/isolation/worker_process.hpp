#pragma once

#include "probing/probe_account.hpp"
#include "spawn/child_program.hpp"
#include "wire/channel.hpp"
#include "wire/file_descriptor.hpp"

#include <backplane/host/forks.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace backplane::isolation {

/// A worker that was started.
class StartedWorker {
 public:
  virtual ~StartedWorker() = default;
  /// Asks it to end what it watches, and itself.
  virtual void Terminate() = 0;
  virtual void Kill() = 0;
  /// Waits for its end; says how it ended, "ended with exit code 1", or "".
  virtual std::string Reap() = 0;
};

/// Starts a program with its descriptors, which are lent. Null: `error` is the errno.
using WorkerStarter =
    std::function<std::unique_ptr<StartedWorker>(spawn::ChildProgram& program, int& error)>;

/// Starts it as a process.
std::unique_ptr<StartedWorker> StartWorkerProcess(spawn::ChildProgram& program, int& error);

/// How a process ended.
struct WorkerEnd {
  bool is_started = false;
  int start_error = 0;  // errno, when it was not started
  probing::ReceivedAccount received;
  std::string how;  // of the program that watched: "ended with exit code 1", or ""
};

/// Is told what happens to a process, in one thread of the process's own.
class WorkerListener {
 public:
  virtual ~WorkerListener() = default;
  virtual void OnNotice(const wire::Message& notice) = 0;
  virtual void OnOutput(bool is_error, const std::string& line) = 0;
  virtual void OnEnd(const WorkerEnd& end) = 0;
  /// It tells nothing any more that can be understood, and is to be ended.
  virtual void End(const std::string& why) = 0;
};

/// A process in which one backend is asked by messages, and the thread that watches it.
class WorkerProcess {
 public:
  /// `listener` must stay.
  explicit WorkerProcess(WorkerListener& listener);
  /// Does what Finish does. In a forked process: lets go of its own descriptors only.
  ~WorkerProcess() { Finish(); }

  /// Called once. What keeps it from starting is its end. `child` has no descriptors yet.
  void Start(spawn::ChildProgram child, const WorkerStarter& starter);
  /// Has it end, and waits until it has, and until the thread that watches it is gone: nobody is
  /// told anything any more. Not for that thread, which may share this object.
  void Finish();

  /// Messages of one thread at a time.
  int GetCallSocket() const { return calls_.Get(); }
  bool HasEnded() const { return has_ended_.load(std::memory_order_acquire); }
  /// Until that many notices were taken, or it has ended, or the time is up, because who is told of
  /// them takes so long. It must have sent them before. False: it has not.
  bool WaitForNotices(std::uint64_t count, std::chrono::milliseconds timeout);
  /// Ends it, whatever it does.
  void Terminate();
  /// Waits for its end, and until that has been told. False: the time was up.
  bool WaitForEnd(std::chrono::milliseconds timeout = kLong) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, timeout, [this] { return HasEnded(); });
  }

 private:
  static constexpr std::chrono::milliseconds kLong = std::chrono::hours(24 * 365);
  using Descriptors = std::array<wire::FileDescriptor, 4>;

  void Watch(spawn::ChildProgram child, const WorkerStarter& starter, Descriptors theirs);
  void Follow(StartedWorker& started);
  void CheckSilence();
  void TakeNotices();
  bool CanHaveSent(std::uint64_t count) const;
  void TakeOutput();
  void PassLines(bool is_error, std::string_view bytes);

  const std::uint32_t num_forks_ = CountForks();
  WorkerListener& listener_;
  wire::FileDescriptor calls_;
  wire::FileDescriptor notices_;
  wire::FileDescriptor account_;
  wire::FileDescriptor output_;
  wire::FileDescriptor stop_;  // an eventfd: end it
  std::string output_bytes_;
  std::string lines_[2];  // begun, of its output and of its errors
  std::atomic<bool> has_ended_{false};
  std::atomic<std::uint64_t> num_notices_{0};
  std::atomic<bool> has_notices_{true};  // some may come still
  std::chrono::steady_clock::time_point silent_at_ = std::chrono::steady_clock::time_point::max();
  bool is_taking_notices_ = false;  // guarded by the mutex
  wire::Inbox inbox_;
  std::mutex mutex_;
  std::condition_variable changed_;
  WorkerEnd end_;
  std::thread thread_;
};

}  // namespace backplane::isolation
