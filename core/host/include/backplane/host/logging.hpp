#pragma once

/// Logging. The library writes nothing until EnableLogging is called.

#include <backplane/api/i_logger.hpp>
#include <backplane/host/export.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace backplane {

/// Where records go.
struct LogDestination {
  std::string file;  // empty: standard error
};

/// Starts logging, or changes how. Records below the level of their channel cost one atomic load.
///
/// `levels` is a level for all channels ("info"), or a list such as "discovery=debug,*=warning".
/// Levels: trace, debug, info, warning, error, off. Channels are the rooms of the library and
/// backend.<id>.
/// Errors: DiagnosticException with kInvalidLogSpecification or kLogFileUnwritable; logging is then
/// as before.
/// [any thread]
BACKPLANE_HOST_API void EnableLogging(std::string_view levels, const LogDestination& destination);

/// Stops logging. [any thread]
BACKPLANE_HOST_API void DisableLogging();

/// Whether a record of this channel and level would be written. [any thread]
BACKPLANE_HOST_API bool IsLogEnabled(std::string_view channel, LogLevel level);

/// Writes one record, when it is enabled. Bytes that are not printable are escaped. [any thread]
BACKPLANE_HOST_API void Log(std::string_view channel, LogLevel level, std::string_view message);

/// A logger for the objects of one backend; its channel is backend.<id>.
/// Ownership: shared with the objects that were given it.
/// [any thread]
BACKPLANE_HOST_API std::shared_ptr<ILogger> CreateBackendLogger(const std::string& backend_id);

}  // namespace backplane
