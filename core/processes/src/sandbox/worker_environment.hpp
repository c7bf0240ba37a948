#pragma once

#include <string>
#include <vector>

namespace backplane::sandbox {

/// The part of an environment, "NAME=value" each, that a backend needs: the variables that
/// worker_environment.def names, in a sandbox or without one, and those that `passed` names, in the
/// same way.
std::vector<std::string> MakeWorkerEnvironment(const char* const* environment,
                                               const std::vector<std::string>& passed,
                                               bool is_sandboxed);

}  // namespace backplane::sandbox
