#pragma once

/// Messages between a host and the process of a backend.

#include "wire/fields.hpp"
#include "wire/file_descriptor.hpp"

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::wire {

/// The questions and statements of both sides.
enum class Function : std::uint32_t {
#define BACKPLANE_MESSAGE(name, words) k##name,
#include "wire/functions.def"
};

/// The words of the Backend API for it. Null: there is no such function.
const char* FindWords(Function function);

enum class MessageKind : std::uint32_t {
  kCall = 1,    // an answer is expected; may come from either side
  kAnswer = 2,  // what was asked for
  kThrown = 3,  // the answer is what was thrown
  kNotice = 4,  // no answer is expected
};

struct Message {
  MessageKind kind = MessageKind::kCall;
  Function function = Function::kOpen;
  std::string body;
  std::vector<FileDescriptor> descriptors;
  bool are_descriptors_lost = false;  // this process may not have that many open
};

/// The most bytes of a message, so that a length that lies takes no memory that matters. Tensors
/// are shared and not sent; but constants that a backend makes come so, and what it has compiled.
constexpr std::uint64_t kMaxBodyBytes = std::uint64_t{1} << 30U;
/// The most bytes of an answer, which takes several times as much memory once it is read.
constexpr std::uint64_t kMaxAnswerBytes = std::uint64_t{128} << 20U;
/// Constants from that size on go in files of memory, smaller ones in the message itself.
constexpr std::uint64_t kLeastSharedConstant = std::uint64_t{64} << 10U;
constexpr std::uint64_t kMaxNoticeBytes = std::uint64_t{4} << 20U;
constexpr std::uint32_t kMaxDescriptors = 64;
/// No message is shorter.
constexpr std::size_t kMinMessageBytes = 24;

/// When the other side is waited for no longer.
using Deadline = std::chrono::steady_clock::time_point;
constexpr Deadline kNoDeadline = Deadline::max();

/// Sends one message over a connected socket. Descriptors are lent.
/// Errors: false when the other side is gone, or has not taken the whole by the deadline.
/// Threads: one at a time for each socket.
bool Send(int socket, MessageKind kind, Function function, std::string_view body,
          const std::vector<int>& descriptors = {}, Deadline deadline = kNoDeadline);

/// The result of a look at a socket.
enum class Found {
  kMessage,
  kNotYet,  // the whole of one
  kOtherSideGone,
  kNonsense,    // what has come is no message
  kSocketLost,  // somebody closed it on this side, or put another file in its place
};

/// Receives one message; waits for it until the deadline, however slowly it comes.
/// Threads: one at a time for each socket.
Found Receive(int socket, Message& message, Deadline deadline = kNoDeadline);

/// Takes messages out of a socket, and never waits for the other side: what has come of a message
/// is kept until the rest is there.
class Inbox {
 public:
  enum class Descriptors {
    kRefused,  // a message that has some is nonsense
    kTaken,
  };

  explicit Inbox(Descriptors descriptors = Descriptors::kRefused) : descriptors_(descriptors) {}

  /// Lends the socket.
  Found Take(int socket, Message& message);

 private:
  Found TakeWhole(Message& message);
  ssize_t TakeBytes(int socket);

  const Descriptors descriptors_;
  std::array<char, kMinMessageBytes> header_{};
  Message begun_;
  std::size_t num_header_bytes_ = 0;
  std::size_t num_body_bytes_ = 0;
};

}  // namespace backplane::wire
