#pragma once

#include "options/options.hpp"

#include <string>
#include <vector>

namespace backplane::execute_network {

/// Options of the form NAME=VALUE, as they were given; constants may be NAME alone.
struct Assignments {
  std::vector<std::string> inputs;
  std::vector<std::string> expected;
  std::vector<std::string> shapes;
  std::vector<std::string> constants;
  std::vector<std::string> layer_backends;
  std::vector<std::string> backend_options;
};

/// Takes them apart. `command` is for the refusals.
/// Errors: DiagnosticException with kUsageError.
void ReadAssignments(const std::string& command, const Assignments& assignments, Options& options);

}  // namespace backplane::execute_network
