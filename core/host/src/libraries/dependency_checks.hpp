#pragma once

/// Checks of a file together with the libraries that it needs.

#include "libraries/dependency_closure.hpp"
#include "libraries/dependency_inspector.hpp"

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::libraries {

/// Faults that do not keep a backend from being loaded today, but make it depend on luck: each
/// check gives a warning or a note, or nothing. `path` is for words only.
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

/// kBorrowedEntryPoint for each library of the closure that exports entry points which the file
/// itself lacks: dlsym would find them there, and one library would answer for several files.
std::vector<Diagnostic> CheckBorrowedEntryPoints(const Library& file,
                                                 const DependencyClosure& closure,
                                                 const std::string& path);

/// kMissingDependency with all libraries of the closure that were not found; nothing when all were.
std::vector<Diagnostic> CheckNoneIsMissing(const DependencyClosure& closure,
                                           const std::string& path);

/// Everything that is wrong with the symbols of a file whose libraries were all found.
/// Null: without `is_defined_in_process` only libraries count as sources of symbols.
std::vector<Diagnostic> CheckSymbols(const Library& file, const DependencyClosure& closure,
                                     const std::string& path,
                                     const IsDefinedInProcess& is_defined_in_process);

/// kMissingSymbolVersion for each library of the closure that lacks versions of symbols which the
/// file or another library needs, kLostSymbolVersions for each that has none any more. Libraries
/// in whose place the process already has another file are left out.
std::vector<Diagnostic> CheckSymbolVersions(const Library& file, const DependencyClosure& closure,
                                            const std::string& path);

}  // namespace backplane::libraries
