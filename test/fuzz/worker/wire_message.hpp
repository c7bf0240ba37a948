#pragma once

#include "wire/channel.hpp"

#include <cstdint>
#include <vector>

namespace backplane::fuzz {

/// A message as it goes over a socket; each part of it may be wrong.
struct WireMessage {
  explicit WireMessage(wire::Message& honest);

  std::uint32_t mark = 0;
  std::uint32_t kind = 0;
  std::uint32_t function = 0;
  std::uint32_t num_descriptors = 0;
  std::uint64_t body_bytes = 0;
  std::string body;
  std::vector<wire::FileDescriptor> descriptors;
  std::uint64_t sent_bytes = UINT64_MAX;  // what is behind them is not sent

  /// Takes another body, whose length is told.
  void SetBody(std::string other);
  void SetDescriptors(std::vector<wire::FileDescriptor> others);
  /// False: the other side is gone, or the message was cut.
  bool Send(int socket) const;
};

}  // namespace backplane::fuzz
