#pragma once

#include "messages/api_values.hpp"
#include "wire/channel.hpp"

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
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
      wire::Writer thrown;
      thrown.Put(messages::ThrownText::Type::kException).Put(UnavailabilityReason::kOther);
      AnswerThrown(function, thrown.PutText("the backend answers more than can be sent").Get());
    } else {
      wire::Send(socket_, wire::MessageKind::kAnswer, function, body, descriptors);
    }
  }
  void AnswerThrown(wire::Function function, std::string_view body) {
    wire::Send(socket_, wire::MessageKind::kThrown, function, body);
  }

  /// Asks the host, within one of its own calls. Empty: it is gone.
  std::string Ask(wire::Function function, std::string_view body,
                  const std::vector<int>& descriptors = {}) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!wire::Send(socket_, wire::MessageKind::kCall, function, body, descriptors)) {
      return {};
    }
    auto answer = wire::Receive(socket_);
    return answer ? std::move(answer->body) : std::string();
  }

 private:
  int socket_;
  std::mutex mutex_;  // a backend may ask from several threads of its own
};

}  // namespace backplane::serving
