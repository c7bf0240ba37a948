#pragma once

#include "isolation/start_worker.hpp"
#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"
#include "spawn/child_program.hpp"
#include "wire/channel.hpp"
#include "wire/file_descriptor.hpp"

#include <backplane/host/forks.hpp>

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
#include <vector>

namespace backplane::isolation {

/// What is started.
struct WorkerStart {
  std::string program;
  probing::ProbeRequest request;
  std::vector<std::string> environment;
  WorkerStarter starter = StartWorkerProcess;
};

/// How a process ended.
struct WorkerEnd {
  bool is_started = false;
  int start_error = 0;  // errno, when it was not started
  probing::ReceivedAccount received;
  std::string how;  // of the program that watched: "ended with exit code 1", or ""
};

/// Who is told what happens to a process. All calls come from one thread of the process's own.
struct WorkerListener {
  std::function<void(const wire::Message&)> on_notice;
  std::function<void()> on_nonsense;  // what should be a notice is none
  std::function<void()> on_silence;   // it has closed the socket of notices, and goes on
  std::function<void(bool is_error, std::string_view line)> on_output;
  std::function<void(const WorkerEnd&)> on_end;
};

/// A process in which one backend is asked by messages, and the thread that watches it.
class WorkerProcess {
 public:
  explicit WorkerProcess(WorkerListener listener);
  /// Does what Finish does. In a forked process: lets go of its own descriptors only.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Called once. What keeps it from starting is its end.
  void Start(WorkerStart start);
  /// Has it end, and waits until it has, and until the thread that watches it is gone: nobody is
  /// told anything any more. Not for that thread, which may share this object.
  void Finish();

  /// Messages of one thread at a time.
  int GetCallSocket() const { return calls_.Get(); }
  bool HasEnded() const { return has_ended_.load(std::memory_order_acquire); }
  std::uint64_t GetNumNotices() const { return num_notices_.load(std::memory_order_acquire); }
  /// Until that many notices were taken, or it has ended, or the time is up, because who is told of
  /// them takes so long. It must have sent them before. False: it has not.
  bool WaitForNotices(std::uint64_t count, std::chrono::milliseconds timeout);
  /// Ends it, whatever it does.
  void Terminate();
  /// Waits for its end, and until that has been told.
  void WaitForEnd();
  /// False: the time was up.
  bool WaitForEndFor(std::chrono::milliseconds timeout);

 private:
  struct Line {
    std::string begun;
  };
  void Watch(WorkerStart start);
  void Follow(StartedWorker& started);
  void CheckSilence();
  void TakeNotices();
  bool CanHaveSent(std::uint64_t count) const;
  void TakeOutput();
  void PassLines(Line& line, bool is_error, std::string_view bytes);

  const std::uint32_t num_forks_ = CountForks();
  WorkerListener listener_;
  wire::FileDescriptor calls_;
  wire::FileDescriptor calls_of_child_;
  wire::FileDescriptor notices_;
  wire::FileDescriptor notices_of_child_;
  wire::FileDescriptor account_;
  wire::FileDescriptor account_of_child_;
  wire::FileDescriptor output_;
  wire::FileDescriptor output_of_child_;
  wire::FileDescriptor stop_;  // an eventfd: end it
  std::string output_bytes_;
  Line lines_[2];
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
