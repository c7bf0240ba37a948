#pragma once

#include <backplane/host/isolation.hpp>

#include <string>
#include <vector>

namespace backplane::sandbox {

/// The part of an environment, "NAME=value" each, that a backend needs: the variables that
/// worker_environment.def names for this sandbox and those that `passed` names, in the same way.
std::vector<std::string> MakeWorkerEnvironment(const char* const* environment,
                                               const std::vector<std::string>& passed,
                                               Sandbox sandbox);

}  // namespace backplane::sandbox
