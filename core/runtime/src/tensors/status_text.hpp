#pragma once

#include <backplane/api/status.hpp>

#include <string>

namespace backplane {

/// The text of a status; of one that the table does not have, its number.
inline std::string DescribeStatus(Status status) {
#define BACKPLANE_STATUS(name, number, text) \
  if (status == Status::k##name) return text;
#include <backplane/api/statuses.def>
#undef BACKPLANE_STATUS
  return std::to_string(static_cast<std::int32_t>(status)) + ", a number that is no status";
}

}  // namespace backplane
