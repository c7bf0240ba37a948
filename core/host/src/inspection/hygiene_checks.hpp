#pragma once

/// What does not keep a backend from being loaded today, but makes it depend on luck.

#include "inspection/dependency_closure.hpp"

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>

namespace backplane::inspection {

/// Each gives a warning or a note, or nothing. `path` is for words only.
using HygieneCheck = std::optional<Diagnostic> (*)(const Library& file,
                                                   const DependencyClosure& closure,
                                                   const std::string& path);

// search_hygiene.cpp: where the file's libraries come from.
std::optional<Diagnostic> CheckNeededPaths(const Library& file, const DependencyClosure& closure,
                                           const std::string& path);
std::optional<Diagnostic> CheckReplacedLibraries(const Library& file,
                                                 const DependencyClosure& closure,
                                                 const std::string& path);
std::optional<Diagnostic> CheckLibraryPath(const Library& file, const DependencyClosure& closure,
                                           const std::string& path);

// runtime_hygiene.cpp: how the file lives with the C++ runtime of its host.
std::optional<Diagnostic> CheckUniqueSymbols(const Library& file, const DependencyClosure& closure,
                                             const std::string& path);

std::optional<Diagnostic> CheckMayBeUnloaded(const Library& file, const DependencyClosure& closure,
                                             const std::string& path);

constexpr HygieneCheck kHygieneChecks[] = {
    CheckNeededPaths, CheckReplacedLibraries, CheckUniqueSymbols,
    CheckLibraryPath, CheckMayBeUnloaded,
};

}  // namespace backplane::inspection
