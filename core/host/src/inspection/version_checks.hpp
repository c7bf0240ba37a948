#pragma once

#include "inspection/dependency_closure.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::inspection {

/// kMissingSymbolVersion for each library of the closure that lacks versions of symbols which the
/// file or another library needs, kLostSymbolVersions for each that has none any more. Libraries
/// in whose place the process already has another file are left out.
std::vector<Diagnostic> CheckSymbolVersions(const Library& file, const DependencyClosure& closure,
                                            const std::string& path);

}  // namespace backplane::inspection
