#pragma once

#include "messages/api_values.hpp"
#include "wire/channel.hpp"

#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace backplane::serving {

/// The socket over which the host asks, and is asked while it waits for an answer.
class HostLine {
 public:
  explicit HostLine(int socket) : socket_(socket) {}

  /// Nothing: `missing` says why.
  std::optional<wire::Message> Receive(wire::Missing& missing) {
    return wire::Receive(socket_, wire::kNoDeadline, &missing);
  }

  void Answer(wire::Function function, std::string_view body,
              const std::vector<int>& descriptors = {}) {
    if (body.size() > wire::kMaxAnswerBytes) {
      messages::ThrownText thrown;
      thrown.type = messages::ThrownText::Type::kException;
      thrown.what = "the backend answers more than can be sent";
      AnswerThrown(function, wire::WriteFields(thrown));
    } else {
      wire::Send(socket_, wire::MessageKind::kAnswer, function, body, descriptors);
    }
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
    const auto answer = wire::Receive(socket_);
    wire::Reader reader(answer ? std::string_view(answer->body) : std::string_view());
    const auto status = reader.Take<Status>();
    if (!reader.IsWhole()) return Status::kFailure;
    if (take) take(reader);
    return status;
  }

 private:
  int socket_;
  std::mutex mutex_;  // a backend may ask from several threads of its own
};

}  // namespace backplane::serving
