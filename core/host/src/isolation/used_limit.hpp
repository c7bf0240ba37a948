#pragma once

#include <backplane/host/isolation.hpp>

#include <cstdint>

namespace backplane::isolation {

/// Whether a process has used seven eighths or more of a limit that it has.
bool HasUsedUpLimit(std::int64_t process, const IsolationSettings& settings);

}  // namespace backplane::isolation
