#include "wire/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace backplane::wire {
namespace {

constexpr std::uint32_t kMark = 0x4250'4d31;  // what every message begins with

struct Header {
  std::uint32_t mark = kMark;
  MessageKind kind = MessageKind::kCall;
  Function function = Function::kOpen;
  std::uint32_t num_descriptors = 0;
  std::uint64_t body_bytes = 0;
};
static_assert(sizeof(Header) == kMinMessageBytes);

bool IsMessage(const Header& header, std::size_t num_descriptors) {
  if (header.mark != kMark || header.num_descriptors != num_descriptors) return false;
  switch (header.kind) {
    case MessageKind::kCall:
      return header.body_bytes <= kMaxBodyBytes;
    case MessageKind::kAnswer:
      // The host's may be what was compiled before.
      return header.body_bytes <=
             (header.function == Function::kLoadCompiled ? kMaxBodyBytes : kMaxAnswerBytes);
    case MessageKind::kThrown:
      return header.body_bytes <= kMaxAnswerBytes;
    case MessageKind::kNotice:
      return header.body_bytes <= kMaxNoticeBytes;
  }
  return false;
}

/// Until the socket is ready for `events`. False: it is not, by the deadline.
bool WaitFor(int socket, short events, Deadline deadline) {
  for (;;) {
    int wait_ms = -1;
    if (deadline != kNoDeadline) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      if (left.count() < 0) return false;
      constexpr std::int64_t kLongestMs = 1'000'000;  // poll takes an int
      wait_ms = static_cast<int>(std::min<std::int64_t>(left.count(), kLongestMs)) + 1;
    }
    pollfd event{socket, events, 0};
    const int num_ready = poll(&event, 1, wait_ms);
    if (num_ready > 0) return true;
    if (num_ready < 0 && errno != EINTR) return false;
  }
}

/// Calls `transfer`, which must not block, until it has done something. What it returned last.
template <typename Transfer>
ssize_t Repeat(int socket, short events, Deadline deadline, const Transfer& transfer) {
  for (;;) {
    const ssize_t bytes = transfer();
    if (bytes == 0) errno = 0;
    if (bytes >= 0) return bytes;
    if (errno == EINTR) continue;
    if (errno != EAGAIN || !WaitFor(socket, events, deadline)) return -1;
  }
}

bool SendBytes(int socket, const char* data, std::size_t size_bytes, Deadline deadline) {
  while (size_bytes != 0) {
    const ssize_t sent = Repeat(socket, POLLOUT, deadline, [&] {
      return send(socket, data, size_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    });
    if (sent < 0) return false;
    data += sent;
    size_bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool ReceiveBytes(int socket, char* data, std::size_t size_bytes, Deadline deadline) {
  while (size_bytes != 0) {
    const ssize_t received = Repeat(socket, POLLIN, deadline,
                                    [&] { return recv(socket, data, size_bytes, MSG_DONTWAIT); });
    if (received <= 0) return false;
    data += received;
    size_bytes -= static_cast<std::size_t>(received);
  }
  return true;
}

/// The header, with the descriptors beside its first byte.
bool SendHeader(int socket, const Header& header, const std::vector<int>& descriptors,
                Deadline deadline) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> control{};
  iovec part{const_cast<Header*>(&header), sizeof(header)};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    const std::size_t size_bytes = sizeof(int) * descriptors.size();
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(size_bytes);
    cmsghdr* const attached = CMSG_FIRSTHDR(&message);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(size_bytes);
    std::memcpy(CMSG_DATA(attached), descriptors.data(), size_bytes);
  }
  const ssize_t sent = Repeat(socket, POLLOUT, deadline, [&] {
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  });
  if (sent <= 0) return false;
  const auto done = static_cast<std::size_t>(sent);
  return SendBytes(socket, reinterpret_cast<const char*>(&header) + done, sizeof(header) - done,
                   deadline);
}

bool ReceiveHeader(int socket, Header& header, std::vector<FileDescriptor>& descriptors,
                   bool& are_descriptors_lost, Deadline deadline) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> control{};
  iovec part{&header, sizeof(header)};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t received = Repeat(socket, POLLIN, deadline, [&] {
    return recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  });
  if (received <= 0) return false;
  are_descriptors_lost = (message.msg_flags & MSG_CTRUNC) != 0;
  for (cmsghdr* attached = CMSG_FIRSTHDR(&message); attached != nullptr;
       attached = CMSG_NXTHDR(&message, attached)) {
    if (attached->cmsg_level != SOL_SOCKET || attached->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (attached->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(attached) + i * sizeof(int), sizeof(int));
      descriptors.emplace_back(descriptor);
    }
  }
  const auto done = static_cast<std::size_t>(received);
  return ReceiveBytes(socket, reinterpret_cast<char*>(&header) + done, sizeof(header) - done,
                      deadline);
}

/// Takes memory only for what has come.
bool ReceiveBody(int socket, std::uint64_t body_bytes, std::string& body, Deadline deadline) {
  constexpr std::uint64_t kStepBytes = std::uint64_t{1} << 20U;
  while (body.size() < body_bytes) {
    const std::size_t begin = body.size();
    const std::size_t step = std::min<std::uint64_t>(kStepBytes, body_bytes - begin);
    body.resize(begin + step);
    if (!ReceiveBytes(socket, body.data() + begin, step, deadline)) return false;
  }
  return true;
}

/// By the error of the last system call; 0: it was none.
Missing FindMissing(int error) {
  if (error == EBADF || error == ENOTSOCK) return Missing::kSocketLost;
  return error == EAGAIN ? Missing::kLate : Missing::kOtherSideGone;
}

}  // namespace

const char* FindWords(Function function) {
  constexpr const char* kWords[] = {
#define BACKPLANE_MESSAGE(name, words) words,
#include "wire/functions.def"
  };
  const auto number = static_cast<std::size_t>(function);
  return number < std::size(kWords) ? kWords[number] : nullptr;
}

bool Send(int socket, MessageKind kind, Function function, std::string_view body,
          const std::vector<int>& descriptors, Deadline deadline) {
  Header header;
  header.kind = kind;
  header.function = function;
  header.num_descriptors = static_cast<std::uint32_t>(descriptors.size());
  header.body_bytes = body.size();
  if (descriptors.size() > kMaxDescriptors || !IsMessage(header, descriptors.size())) return false;
  return SendHeader(socket, header, descriptors, deadline) &&
         SendBytes(socket, body.data(), body.size(), deadline);
}

std::optional<Message> Receive(int socket, Deadline deadline, Missing* missing) {
  Header header;
  Message message;
  errno = 0;
  bool has_come =
      ReceiveHeader(socket, header, message.descriptors, message.are_descriptors_lost, deadline);
  const std::size_t num_descriptors =
      message.are_descriptors_lost ? header.num_descriptors : message.descriptors.size();
  const bool is_nonsense = has_come && !IsMessage(header, num_descriptors);
  has_come =
      has_come && !is_nonsense && ReceiveBody(socket, header.body_bytes, message.body, deadline);
  if (!has_come) {
    if (missing != nullptr) *missing = is_nonsense ? Missing::kNonsense : FindMissing(errno);
    return std::nullopt;
  }
  message.kind = header.kind;
  message.function = header.function;
  return message;
}

Inbox::Found Inbox::Take(int socket, Message& message) {
  constexpr std::size_t kStepBytes = std::size_t{64} << 10U;
  for (;;) {
    Header header;
    std::size_t wanted = sizeof(header);
    if (begun_.size() >= sizeof(header)) {
      std::memcpy(&header, begun_.data(), sizeof(header));
      if (!IsMessage(header, 0)) return Found::kNonsense;
      wanted += header.body_bytes;
    }
    if (begun_.size() >= sizeof(header) && begun_.size() == wanted) {
      message = {header.kind, header.function, begun_.substr(sizeof(header)), {}};
      begun_.clear();
      return Found::kMessage;
    }
    const std::size_t begin = begun_.size();
    begun_.resize(begin + std::min(wanted - begin, kStepBytes));
    ssize_t bytes = -1;
    do {
      bytes = recv(socket, begun_.data() + begin, begun_.size() - begin, MSG_DONTWAIT);
    } while (bytes < 0 && errno == EINTR);
    const bool is_nothing = bytes < 0 && errno == EAGAIN;
    begun_.resize(begin + static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
    if (bytes <= 0) return is_nothing ? Found::kNotYet : Found::kOtherSideGone;
  }
}

}  // namespace backplane::wire
