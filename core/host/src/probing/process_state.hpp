#pragma once

#include "probing/probe_account.hpp"
#include "probing/watched_values.hpp"
#include "spawn/status_file.hpp"

#include <map>
#include <string>
#include <vector>

namespace backplane::probing {

/// What a plugin could change in the process that loads it, at one moment. A text is "" when it
/// could not be found out.
struct ProcessState {
  std::vector<WatchedValue> values;
  std::map<int, std::string> signal_actions;  // "default", "ignored" or "handled"; by signal
  std::map<std::string, std::string> environment;
  bool are_descriptors_known = false;      // false: too few may be open to look
  std::map<int, std::string> descriptors;  // what each leads to
  std::uint32_t num_threads = 0;
};

/// Looks at this process, and anew at its status.
ProcessState ReadProcessState(spawn::StatusFile& status);

/// What differs, in words.
StateChanges CompareProcessStates(const ProcessState& before, const ProcessState& after);

}  // namespace backplane::probing
