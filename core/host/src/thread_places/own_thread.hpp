#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace backplane::thread_places {

/// The id of the calling thread in the system. [async-signal-safe]
inline std::int32_t GetOwnThread() {
  return static_cast<std::int32_t>(syscall(SYS_gettid));
}

}  // namespace backplane::thread_places
