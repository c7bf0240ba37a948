#pragma once

/// A thread that plays the process of an isolated backend, and so can say what no honest one would.

#include "isolation/worker_process.hpp"
#include "wire/channel.hpp"
#include "wire/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace backplane::test {

/// What the process of a backend, and the program that watches it, have of the host.
class WorkerEnds {
 public:
  explicit WorkerEnds(const std::vector<int>& lent)
      : account(Copy(lent[0])),
        calls(Copy(lent[1])),
        notices(Copy(lent[2])),
        output(Copy(lent[3])) {}

  /// The next message of the host. Nothing: it is gone, or wants an end.
  std::optional<wire::Message> Receive() {
    std::optional<wire::Message> message(std::in_place);
    if (wire::Receive(calls.Get(), *message) != wire::Found::kMessage) message.reset();
    return message;
  }
  void Answer(wire::Function function, const wire::Writer& body, std::uint64_t num_notices = 0) {
    wire::Writer whole;
    whole.Put(num_notices);
    wire::Send(calls.Get(), wire::MessageKind::kAnswer, function, whole.Get() + body.Get());
  }
  /// As an honest one, which has process number 7.
  void AnswerOpen() {
    if (Receive()) Answer(wire::Function::kOpen, wire::Writer().Put(std::int64_t{7}));
  }
  bool IsStopped() const { return is_stopped_; }
  void Stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_stopped_ = true;
    shutdown(calls.Get(), SHUT_RDWR);
    shutdown(notices.Get(), SHUT_RDWR);
  }

  void CloseNotices() {
    const std::lock_guard<std::mutex> lock(mutex_);
    notices = wire::FileDescriptor();
  }

  /// The end of a process closes what it had.
  void Close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    calls = wire::FileDescriptor();
    notices = wire::FileDescriptor();
    output = wire::FileDescriptor();
    account = wire::FileDescriptor();
  }

  wire::FileDescriptor account;
  wire::FileDescriptor calls;
  wire::FileDescriptor notices;
  wire::FileDescriptor output;

 private:
  static wire::FileDescriptor Copy(int descriptor) {
    return wire::FileDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  }

  std::atomic<bool> is_stopped_{false};
  std::mutex mutex_;
};

class ThreadWorker final : public isolation::StartedWorker {
 public:
  using Play = std::function<void(WorkerEnds&)>;

  ThreadWorker(const spawn::ChildProgram& program, Play play)
      : ends_(std::make_shared<WorkerEnds>(program.descriptors)),
        thread_([ends = ends_, play = std::move(play)] {
          play(*ends);
          ends->Close();
        }) {}
  ~ThreadWorker() override {
    if (thread_.joinable()) thread_.join();
  }

  void Terminate() override { ends_->Stop(); }
  void Kill() override { ends_->Stop(); }
  std::string Reap() override {
    thread_.join();
    return "a thread has ended";
  }

 private:
  std::shared_ptr<WorkerEnds> ends_;
  std::thread thread_;
};

/// Each start is a thread that plays it.
inline isolation::WorkerStarter PlayInThread(ThreadWorker::Play play) {
  return [play = std::move(play)](spawn::ChildProgram& program, int& error) {
    error = 0;
    return std::make_unique<ThreadWorker>(program, play);
  };
}

}  // namespace backplane::test
