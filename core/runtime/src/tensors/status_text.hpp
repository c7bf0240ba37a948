#pragma once

#include <backplane/api/status.hpp>

#include <string>

namespace backplane {

/// The text of a status, with its number when the table does not have it.
inline std::string DescribeStatus(Status status) {
#define BACKPLANE_STATUS(name, number, text) \
  if (status == Status::k##name) return text;
#include <backplane/api/statuses.def>
#undef BACKPLANE_STATUS
  return "unknown status " + std::to_string(static_cast<std::int32_t>(status));
}

}  // namespace backplane
