#pragma once

/// The outcome of calls on the hot path and of everything a plugin calls on the host.

#include <cstdint>

namespace backplane {

enum class [[nodiscard]] Status : std::int32_t{
#define BACKPLANE_STATUS(name, number, text) k##name = number,
#include <backplane/api/statuses.def>
#undef BACKPLANE_STATUS
};

/// The text of a status, for messages. Static storage. A number that is not in the table, as a
/// newer plugin may return, gives "unknown status".
constexpr const char* GetStatusText(Status status) {
  switch (status) {
#define BACKPLANE_STATUS(name, number, text) \
  case Status::k##name:                      \
    return text;
#include <backplane/api/statuses.def>
#undef BACKPLANE_STATUS
  }
  return "unknown status";
}

}  // namespace backplane
