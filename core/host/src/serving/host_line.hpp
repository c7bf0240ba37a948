// The line between this process and the host, and guards around the calls that the host asks for.
#pragma once

#include "serving/api_values.hpp"
#include "wire/channel.hpp"

#include <backplane/api/i_logger.hpp>

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace backplane::serving {

/// The socket over which the host asks, and is asked while it waits for an answer.
class HostLine {
 public:
  explicit HostLine(int socket) : socket_(socket) {}

  wire::Found Receive(wire::Message& message) { return wire::Receive(socket_, message); }

  /// Errors: std::runtime_error when the answer is longer than can be sent.
  void Answer(wire::Function function, std::string_view body, const std::vector<int>& descriptors) {
    if (body.size() > wire::kMaxAnswerBytes) {
      throw std::runtime_error("the backend answers more than can be sent");
    }
    wire::Send(socket_, wire::MessageKind::kAnswer, function, body, descriptors);
  }
  void AnswerThrown(wire::Function function, std::string_view body) {
    wire::Send(socket_, wire::MessageKind::kThrown, function, body);
  }

  /// Asks the host, within one of its own calls. `take` reads what it answers besides the status.
  /// Errors: kFailure when it is gone, or answers nothing.
  Status Ask(wire::Function function, const wire::Writer& body,
             const std::vector<int>& descriptors = {},
             const std::function<void(wire::Reader&)>& take = nullptr) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!wire::Send(socket_, wire::MessageKind::kCall, function, body.Get(), descriptors)) {
      return Status::kFailure;
    }
    wire::Message answer;
    wire::Receive(socket_, answer);  // no message is an empty one, which has no status
    wire::Reader reader(answer.body);
    const auto status = reader.Take<Status>();
    if (!reader.IsWhole()) return Status::kFailure;
    if (take) take(reader);
    return status;
  }

 private:
  int socket_;
  std::mutex mutex_;  // a backend may ask from several threads of its own
};

/// The socket over which this process tells the host things without being asked.
///
/// Threads: any.
class Notices {
 public:
  explicit Notices(int socket) : socket_(socket) {}

  void Send(wire::Function function, std::string_view body) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (wire::Send(socket_, wire::MessageKind::kNotice, function, body)) ++num_sent_;
  }
  std::uint64_t GetNumSent() const { return num_sent_.load(); }

 private:
  std::mutex mutex_;
  int socket_;
  std::atomic<std::uint64_t> num_sent_{0};
};

/// The logger of the backend: its lines go to the host, which writes them.
class RemoteLogger final : public ILogger {
 public:
  RemoteLogger(Notices& notices, const std::atomic<std::uint32_t>& least_level)
      : notices_(notices), least_level_(least_level) {}

  bool IsEnabled(LogLevel level) const override {
    return static_cast<std::uint32_t>(level) >= least_level_.load(std::memory_order_relaxed);
  }
  Status Log(LogLevel level, const char* message) override {
    if (message == nullptr) return Status::kInvalidArgument;
    if (!IsEnabled(level)) return Status::kSuccess;
    constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
    wire::Writer writer;
    writer.Put(level).PutText(std::string_view(message).substr(0, kMostBytes));
    notices_.Send(wire::Function::kLogLine, writer.Get());
    return Status::kSuccess;
  }

 private:
  Notices& notices_;
  const std::atomic<std::uint32_t>& least_level_;
};

/// Stands before and after each call into the backend. The host makes the next call when this one
/// has ended, which orders them; the thread sanitizer does not see the host's process, and is told
/// here.
inline void OrderCalls() {
#if defined(__SANITIZE_THREAD__)
  static std::atomic<unsigned> order{0};
  order.fetch_add(1, std::memory_order_acq_rel);
#endif
}

/// Ends the second process where the backend forks and returns in both: the host is answered once.
class EndCopy {
 public:
  explicit EndCopy(pid_t process) : process_(process) {}
  ~EndCopy() {
    if (getpid() != process_) _exit(0);
  }
  EndCopy(const EndCopy&) = delete;
  EndCopy& operator=(const EndCopy&) = delete;

 private:
  const pid_t process_;
};

}  // namespace backplane::serving
