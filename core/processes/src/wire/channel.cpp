#include "wire/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

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

struct alignas(cmsghdr) ControlBytes : std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> {
};

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

/// The descriptors that go beside the first byte of a message.
void Attach(const std::vector<int>& descriptors, msghdr& message) {
  const std::size_t size_bytes = sizeof(int) * descriptors.size();
  message.msg_controllen = CMSG_SPACE(size_bytes);
  cmsghdr* const attached = CMSG_FIRSTHDR(&message);
  attached->cmsg_level = SOL_SOCKET;
  attached->cmsg_type = SCM_RIGHTS;
  attached->cmsg_len = CMSG_LEN(size_bytes);
  std::memcpy(CMSG_DATA(attached), descriptors.data(), size_bytes);
}

/// Leaves out as much of the beginning as is there, which is returned.
std::size_t Skip(iovec& part, std::size_t most_bytes) {
  const std::size_t skipped = std::min(most_bytes, part.iov_len);
  part.iov_base = static_cast<char*>(part.iov_base) + skipped;
  part.iov_len -= skipped;
  return skipped;
}

void Detach(msghdr& message, std::vector<FileDescriptor>& descriptors) {
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
  Header header{kMark, kind, function, static_cast<std::uint32_t>(descriptors.size()), body.size()};
  if (descriptors.size() > kMaxDescriptors || !IsMessage(header, descriptors.size())) return false;
  iovec parts[] = {{&header, sizeof(header)}, {const_cast<char*>(body.data()), body.size()}};
  ControlBytes control{};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = std::size(parts);
  message.msg_control = control.data();
  if (!descriptors.empty()) Attach(descriptors, message);
  while (parts[0].iov_len + parts[1].iov_len != 0) {
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno != EAGAIN || !WaitFor(socket, POLLOUT, deadline))) return false;
    if (sent > 0) message.msg_controllen = 0;  // they have gone
    auto left = static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
    for (iovec& part : parts) left -= Skip(part, left);
  }
  return true;
}

Found Receive(int socket, Message& message, Deadline deadline) {
  Inbox inbox(Inbox::Descriptors::kTaken);
  auto found = Found::kNotYet;
  do {
    found = inbox.Take(socket, message);
  } while (found == Found::kNotYet && WaitFor(socket, POLLIN, deadline));
  return found;
}

Found Inbox::Take(int socket, Message& message) {
  for (;;) {
    const Found found = num_header_bytes_ == sizeof(Header) ? TakeWhole(message) : Found::kNotYet;
    if (found != Found::kNotYet) return found;
    const ssize_t bytes = TakeBytes(socket);
    if (bytes > 0 || (bytes < 0 && errno == EINTR)) continue;
    if (bytes < 0 && errno == EAGAIN) return Found::kNotYet;
    const bool is_lost = bytes < 0 && (errno == EBADF || errno == ENOTSOCK);
    return is_lost ? Found::kSocketLost : Found::kOtherSideGone;
  }
}

Found Inbox::TakeWhole(Message& message) {
  constexpr std::uint64_t kStepBytes = std::uint64_t{1} << 20U;
  Header header;
  std::memcpy(&header, header_.data(), sizeof(header));
  const bool are_lost = begun_.are_descriptors_lost;
  if (!IsMessage(header, are_lost ? header.num_descriptors : begun_.descriptors.size())) {
    return Found::kNonsense;
  }
  if (num_body_bytes_ == header.body_bytes) {
    begun_.kind = header.kind;
    begun_.function = header.function;
    message = std::exchange(begun_, Message());
    num_header_bytes_ = num_body_bytes_ = 0;
    return Found::kMessage;
  }
  // Takes memory only for what has come.
  const std::uint64_t step = std::min(kStepBytes, header.body_bytes - num_body_bytes_);
  if (begun_.body.size() == num_body_bytes_) begun_.body.resize(num_body_bytes_ + step);
  return Found::kNotYet;
}

ssize_t Inbox::TakeBytes(int socket) {
  const bool has_descriptors = num_header_bytes_ == 0 && descriptors_ == Descriptors::kTaken;
  const bool is_header = num_header_bytes_ < sizeof(Header);
  std::size_t& num_taken = is_header ? num_header_bytes_ : num_body_bytes_;
  iovec part{is_header ? header_.data() + num_taken : begun_.body.data() + num_taken,
             (is_header ? header_.size() : begun_.body.size()) - num_taken};
  ControlBytes control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = has_descriptors ? control.size() : 0;
  const ssize_t bytes = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (bytes <= 0) return bytes;
  num_taken += static_cast<std::size_t>(bytes);
  if (has_descriptors) {
    begun_.are_descriptors_lost = (message.msg_flags & MSG_CTRUNC) != 0;
    Detach(message, begun_.descriptors);
  }
  return bytes;
}

}  // namespace backplane::wire
