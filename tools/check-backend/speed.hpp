#pragma once

#include "options.hpp"

#include <string>
#include <vector>

namespace backplane::check_backend {

/// How fast the backend runs some usual layers and the models, beside CpuRef and the other backends
/// that were named: the lines of a table. Each is measured in a process of its own. It is never a
/// part of the verdict; who cannot run something has the reason below the table.
std::vector<std::string> MeasureSpeed(const Options& options);

}  // namespace backplane::check_backend
