#pragma once

#include "inspection/dependency_closure.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::inspection {

/// kBorrowedEntryPoint for each library of the closure that exports entry points which the file
/// itself lacks: dlsym would find them there, and one library would answer for several files.
std::vector<Diagnostic> CheckBorrowedEntryPoints(const Library& file,
                                                 const DependencyClosure& closure,
                                                 const std::string& path);

}  // namespace backplane::inspection
