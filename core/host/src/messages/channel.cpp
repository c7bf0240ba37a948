#include "messages/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace backplane::messages {
namespace {

constexpr std::uint32_t kMark = 0x4250'4d31;  // what every message begins with

struct Header {
  std::uint32_t mark = kMark;
  MessageKind kind = MessageKind::kCall;
  Function function = Function::kOpen;
  std::uint32_t num_descriptors = 0;
  std::uint64_t body_bytes = 0;
};

bool SendBytes(int socket, const char* data, std::size_t size_bytes) {
  while (size_bytes != 0) {
    const ssize_t sent = send(socket, data, size_bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    if (sent <= 0) continue;
    data += sent;
    size_bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool ReceiveBytes(int socket, char* data, std::size_t size_bytes) {
  while (size_bytes != 0) {
    const ssize_t received = recv(socket, data, size_bytes, 0);
    if (received == 0 || (received < 0 && errno != EINTR)) return false;
    if (received < 0) continue;
    data += received;
    size_bytes -= static_cast<std::size_t>(received);
  }
  return true;
}

/// The header, with the descriptors beside its first byte.
bool SendHeader(int socket, const Header& header, const std::vector<int>& descriptors) {
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
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent <= 0) return false;
  const auto done = static_cast<std::size_t>(sent);
  return SendBytes(socket, reinterpret_cast<const char*>(&header) + done, sizeof(header) - done);
}

bool ReceiveHeader(int socket, Header& header,
                   std::vector<discovery::FileDescriptor>& descriptors) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> control{};
  iovec part{&header, sizeof(header)};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t received = -1;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received <= 0) return false;
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
  return (message.msg_flags & MSG_CTRUNC) == 0 &&
         ReceiveBytes(socket, reinterpret_cast<char*>(&header) + done, sizeof(header) - done);
}

/// Takes memory only for what has come.
bool ReceiveBody(int socket, std::uint64_t body_bytes, std::string& body) {
  constexpr std::uint64_t kStepBytes = std::uint64_t{1} << 20U;
  while (body.size() < body_bytes) {
    const std::size_t begin = body.size();
    const std::size_t step = std::min<std::uint64_t>(kStepBytes, body_bytes - begin);
    body.resize(begin + step);
    if (!ReceiveBytes(socket, body.data() + begin, step)) return false;
  }
  return true;
}

}  // namespace

bool Send(int socket, MessageKind kind, Function function, std::string_view body,
          const std::vector<int>& descriptors) {
  if (body.size() > kMaxBodyBytes || descriptors.size() > kMaxDescriptors) return false;
  Header header;
  header.kind = kind;
  header.function = function;
  header.num_descriptors = static_cast<std::uint32_t>(descriptors.size());
  header.body_bytes = body.size();
  return SendHeader(socket, header, descriptors) && SendBytes(socket, body.data(), body.size());
}

std::optional<Message> Receive(int socket) {
  Header header;
  Message message;
  if (!ReceiveHeader(socket, header, message.descriptors)) return std::nullopt;
  const bool is_one = header.mark == kMark && header.body_bytes <= kMaxBodyBytes &&
                      header.num_descriptors == message.descriptors.size();
  if (!is_one || !ReceiveBody(socket, header.body_bytes, message.body)) return std::nullopt;
  message.kind = header.kind;
  message.function = header.function;
  return message;
}

}  // namespace backplane::messages
