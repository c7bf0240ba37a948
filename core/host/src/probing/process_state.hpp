#pragma once

#include "probing/probe_account.hpp"
#include "spawn/status_file.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace backplane::probing {

struct WatchedValue {
  std::string name;   // "the umask"
  std::string value;  // "" when it could not be found out
  /// The harm that a change does to an application; nothing: it can go on.
  std::optional<Intrusion> intrusion;
};

/// The values that belong to a whole process and of which each is one text, always in the same
/// order. To watch one more is to add one row to the table in watched_values.cpp.
std::vector<WatchedValue> ReadWatchedValues(const spawn::StatusFile& status);

/// The state of a process that a plugin could change, at one moment. A text is "" when it could not
/// be found out.
struct ProcessState {
  std::vector<WatchedValue> values;  // what is done at each signal among them
  std::map<std::string, std::string> environment;
  bool are_descriptors_known = false;      // false: too few may be open to look
  std::map<int, std::string> descriptors;  // what each leads to
  std::uint32_t num_threads = 0;
};

/// Looks at this process, and anew at its status.
ProcessState ReadProcessState(spawn::StatusFile& status);

/// The differences, in words.
StateChanges CompareProcessStates(const ProcessState& before, const ProcessState& after);

}  // namespace backplane::probing
