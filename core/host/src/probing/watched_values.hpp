#pragma once

/// The values that belong to a whole process and of which each is one text. To watch one more is to
/// add one row to the table in watched_values.cpp.

#include "spawn/status_file.hpp"

#include <backplane/host/load_report.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::probing {

struct WatchedValue {
  const char* name;   // "the umask"
  std::string value;  // "" when it could not be found out
  /// What changing it takes from an application; nothing: it can go on.
  std::optional<Intrusion> intrusion;
};

/// All of them, always in the same order.
std::vector<WatchedValue> ReadWatchedValues(const spawn::StatusFile& status);

}  // namespace backplane::probing
