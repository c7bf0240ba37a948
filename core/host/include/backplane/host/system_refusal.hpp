#pragma once

/// Why the system gives this process no more memory, descriptors or threads.

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/export.hpp>

#include <cerrno>
#include <optional>
#include <string>

namespace backplane {

struct SystemRefusal {
  std::string found;  // "RLIMIT_NOFILE allows 64 open files"
  std::string cure;   // "raise RLIMIT_NOFILE (ulimit -n; LimitNOFILE= of a service)"
};

/// The limits behind ENOMEM, EMFILE and ENFILE, and behind EAGAIN of a new thread or process.
/// Nothing: another error.
/// [any thread] Since: 0.1
BACKPLANE_HOST_API std::optional<SystemRefusal> ExplainRefusal(int error);

/// kOutOfMemory with the limit in force, for memory that was refused with this error. `what` says
/// in one sentence what could not be done. Has only its code when there is no memory for words.
/// [any thread] Since: 0.1
BACKPLANE_HOST_API Diagnostic DescribeOutOfMemory(const char* what, int error = ENOMEM) noexcept;

}  // namespace backplane
