#pragma once

#include "probing/probe_account.hpp"

#include <csignal>
#include <map>
#include <string>
#include <vector>

namespace backplane::probing {

/// What a plugin could change in the process that loads it, at one moment. A text is "" when it
/// could not be found out.
struct ProcessState {
  std::string working_directory;
  std::string umask;  // "0022"
  std::string locale;
  std::string rounding;
  bool flushes_denormals = false;
  int trapped_float_exceptions = 0;
  std::vector<int> blocked_signals;
  std::map<int, std::string> signal_actions;  // "default", "ignored" or "handled"; by signal
  std::map<std::string, std::string> environment;
  std::map<std::string, std::string> limits;
  bool are_descriptors_known = false;      // false: too few may be open to look
  std::map<int, std::string> descriptors;  // what each leads to
  std::uint32_t num_threads = 0;
};

/// Looks at this process.
ProcessState ReadProcessState();

/// What differs, in words.
StateChanges CompareProcessStates(const ProcessState& before, const ProcessState& after);

}  // namespace backplane::probing
