#include "wire_message.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::fuzz {
namespace {

constexpr std::uint32_t kMark = 0x4250'4d31;
constexpr std::size_t kMostDescriptors = 80;

bool SendRest(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

WireMessage::WireMessage(wire::Message& honest)
    : mark(kMark),
      kind(static_cast<std::uint32_t>(honest.kind)),
      function(static_cast<std::uint32_t>(honest.function)) {
  SetBody(std::move(honest.body));
  SetDescriptors(std::move(honest.descriptors));
}

void WireMessage::SetBody(std::string other) {
  body = std::move(other);
  body_bytes = body.size();
}

void WireMessage::SetDescriptors(std::vector<wire::FileDescriptor> others) {
  descriptors = std::move(others);
  num_descriptors = static_cast<std::uint32_t>(descriptors.size());
}

bool WireMessage::Send(int socket) const {
  wire::Writer writer;
  writer.Put(mark).Put(kind).Put(function).Put(num_descriptors).Put(body_bytes);
  const std::string whole = writer.Get() + body;
  const bool is_cut = sent_bytes < whole.size() || body_bytes > body.size();
  std::string_view bytes =
      std::string_view(whole).substr(0, std::min<std::uint64_t>(sent_bytes, whole.size()));
  if (bytes.empty()) return false;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostDescriptors)] = {};
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  std::vector<int> numbers;
  for (const auto& descriptor : descriptors) numbers.push_back(descriptor.Get());
  if (!numbers.empty() && numbers.size() <= kMostDescriptors) {
    const std::size_t size_bytes = sizeof(int) * numbers.size();
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(size_bytes);
    cmsghdr* const attached = CMSG_FIRSTHDR(&message);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(size_bytes);
    std::memcpy(CMSG_DATA(attached), numbers.data(), size_bytes);
  }
  const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  return sent > 0 && SendRest(socket, bytes.substr(static_cast<std::size_t>(sent))) && !is_cut;
}

}  // namespace backplane::fuzz
