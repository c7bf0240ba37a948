#pragma once

#include "inspection/inspect_file.hpp"
#include "libraries/library_search.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::libraries {

/// Says whether a symbol is already defined in this process. `version` may be empty.
using IsDefinedInProcess =
    std::function<bool(const std::string& symbol, const std::string& version)>;

/// Runs the stage dependencies for the candidates of one scan. What it learns of the libraries of
/// the system it keeps, so that each is searched for and read once, however many candidates need
/// it.
///
/// Threads: any; they take turns.
class DependencyInspector {
 public:
  /// Null: without `is_defined_in_process` only libraries count as sources of symbols.
  explicit DependencyInspector(IsDefinedInProcess is_defined_in_process,
                               LoaderEnvironment environment = LoaderEnvironment::OfThisProcess());
  ~DependencyInspector();
  DependencyInspector(const DependencyInspector&) = delete;
  DependencyInspector& operator=(const DependencyInspector&) = delete;

  /// Finds every library that the file needs, and theirs, as the loader would, and then every
  /// symbol. The descriptor stays the caller's; its offset is not used.
  /// `canonical_path` is what the loader will be given; $ORIGIN stands for its directory.
  inspection::StageOutcome Inspect(int descriptor, const std::string& path,
                                   const std::string& canonical_path);

  /// Looks up only what the file says it opens when it runs. The format stage accepted it; `path`
  /// and `canonical_path` as above.
  inspection::StageOutcome InspectLate(const elf::File& elf, const std::string& path,
                                       const std::string& canonical_path);

 private:
  struct Knowledge;

  std::mutex mutex_;
  IsDefinedInProcess is_defined_in_process_;
  LoaderEnvironment environment_;
  std::unique_ptr<Knowledge> knowledge_;  // null until it is needed
};

/// Runs the stage dependencies: finds every library that the file needs, and theirs, as the loader
/// would, and then every symbol.
/// `canonical_path` is what the loader will be given; $ORIGIN stands for its directory.
/// Null: without `is_defined_in_process` only libraries count as sources of symbols.
/// Threads: any. A scan, which does this for many files, has a DependencyInspector instead.
inspection::StageOutcome InspectDependencies(int descriptor, const std::string& path,
                                             const std::string& canonical_path,
                                             const IsDefinedInProcess& is_defined_in_process);

/// Where the loader of this process will find every library that a file needs, and theirs, and
/// those that the file says it opens when it runs. What is not found is left out; so is all of a
/// file that is no shared object.
/// `descriptor` stays the caller's; `canonical_path` is what the loader will be given.
std::vector<std::string> FindLibraryPaths(int descriptor, const std::string& canonical_path);

}  // namespace backplane::libraries
