#pragma once

#include "wire/channel.hpp"

#include <backplane/api/status.hpp>

#include <cstdint>
#include <string>

namespace backplane::serving {

inline std::string AnswerStatus(Status status) {
  return wire::Writer().Put(status).Get();
}

/// Whether an object was made at all; nothing is kept of null.
inline std::string AnswerMade(bool is_made) {
  return wire::Writer().Put(static_cast<std::uint8_t>(is_made ? 1 : 0)).Get();
}

}  // namespace backplane::serving
