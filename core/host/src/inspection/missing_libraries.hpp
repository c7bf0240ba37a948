#pragma once

#include "inspection/dependency_closure.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::inspection {

/// kMissingDependency with all libraries of the closure that were not found; nothing when all were.
std::vector<Diagnostic> CheckNoneIsMissing(const DependencyClosure& closure,
                                           const std::string& path);

}  // namespace backplane::inspection
