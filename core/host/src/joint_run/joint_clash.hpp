#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace backplane::joint_run {

/// Backends that passed alone and come to a bad end together; none of them can be left out.
struct JointClash {
  bool is_whole = true;  // false: there are others too, but it would take too long to find them
  std::vector<std::size_t> participants;  // by their numbers, in rising order; one at least
  std::vector<std::size_t> common;        // of these, those without each of which the rest passes
  std::vector<std::string> libraries;     // of the program, which take part
  bool ends_process = true;               // false: one fails, and the process goes on
  std::string end;                        // "A crashed in CreateBackendContext: SIGSEGV ..."
};

}  // namespace backplane::joint_run
