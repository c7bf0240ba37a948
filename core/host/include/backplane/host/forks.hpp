#pragma once

#include <backplane/host/export.hpp>

#include <cstdint>

namespace backplane {

/// How often this process, and those that it is a copy of, came to be by fork() since this was
/// first called. What was made at another number belongs to the parent: its threads are not here,
/// and its locks may be held for ever. Takes a few nanoseconds. [any thread]
BACKPLANE_HOST_API std::uint32_t CountForks() noexcept;

}  // namespace backplane
