#pragma once

#include <string>
#include <vector>

namespace backplane::isolation {

/// Of an environment, "NAME=value" each, what a backend needs: the variables that
/// worker_environment.def names and those that `passed` names, in the same way.
std::vector<std::string> MakeWorkerEnvironment(const char* const* environment,
                                               const std::vector<std::string>& passed);

}  // namespace backplane::isolation
