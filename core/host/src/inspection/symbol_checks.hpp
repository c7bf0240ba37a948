#pragma once

/// What becomes of the symbols that a file takes from others or offers to them.

#include "inspection/dependency_closure.hpp"
#include "inspection/inspect_file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::inspection {

/// Everything that is wrong with the symbols of a file whose libraries were all found.
/// Null: without `is_defined_in_process` only libraries count as sources of symbols.
std::vector<Diagnostic> CheckSymbols(const Library& file, const DependencyClosure& closure,
                                     const std::string& path,
                                     const IsDefinedInProcess& is_defined_in_process);

}  // namespace backplane::inspection
