#pragma once

#include "messages/message.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace backplane::messages {

/// The most bytes of a message, so that a length that lies takes no memory that matters.
constexpr std::uint64_t kMaxBodyBytes = std::uint64_t{1} << 30U;
constexpr std::uint32_t kMaxDescriptors = 64;

/// Sends one message over a connected socket. Descriptors are lent.
/// Errors: false when the other side is gone.
/// Threads: one at a time for each socket.
bool Send(int socket, MessageKind kind, Function function, std::string_view body,
          const std::vector<int>& descriptors = {});

/// Receives one message; waits for it.
/// Nothing: the other side is gone, or sent what is no message.
/// Threads: one at a time for each socket.
std::optional<Message> Receive(int socket);

}  // namespace backplane::messages
