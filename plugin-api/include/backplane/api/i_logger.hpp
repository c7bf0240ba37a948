#pragma once

#include <backplane/api/backend_version.hpp>
#include <backplane/api/status.hpp>

#include <cstdint>

namespace backplane {

enum class LogLevel : std::uint32_t {
  kTrace = 1,
  kDebug = 2,
  kInfo = 3,
  kWarning = 4,
  kError = 5,
};

/// How a backend logs. Implemented by the host; its lines appear under the channel backend.<id>.
///
/// Ownership: the host's; valid as long as the object that was given it.
class ILogger {
 public:
  virtual ~ILogger() = default;

  /// Says whether a record of this level would go anywhere; cheap, to be asked before formatting.
  /// [any thread] Since: 1.0
  virtual bool IsEnabled(LogLevel level) const = 0;

  /// Logs one line.
  /// Null: a null message logs nothing and returns kInvalidArgument.
  /// [any thread] Since: 1.0
  virtual Status Log(LogLevel level, const char* message) = 0;
};

}  // namespace backplane
