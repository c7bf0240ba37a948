#pragma once

#include "wire/channel.hpp"

#include <backplane/api/i_logger.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace backplane::serving {

/// What this process tells the host without being asked.
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

}  // namespace backplane::serving
