#include "diagnostics/file_words.hpp"
#include "libraries/dependency_checks.hpp"

#include <sys/stat.h>

namespace backplane::libraries {
namespace {

// The file that the run path would lead to, had LD_LIBRARY_PATH not led to another; may be empty.
std::string FindOwnCopy(const Library& library) {
  if (library.found_in != "LD_LIBRARY_PATH") return {};
  const elf::LibraryRequester& requester = library.needed_by->requester;
  for (const std::string& element : elf::SplitRunPath(requester.runpath)) {
    std::string file = elf::ExpandLoaderTokens(element, requester.origin) + "/" + library.name;
    struct stat own {};
    struct stat taken {};
    if (stat(file.c_str(), &own) != 0) continue;
    const bool is_known = stat(library.object->path.c_str(), &taken) == 0;
    const bool is_same = is_known && own.st_dev == taken.st_dev && own.st_ino == taken.st_ino;
    return is_same ? std::string() : file;
  }
  return {};
}

}  // namespace

std::optional<Diagnostic> CheckNeededPaths(const Library& file,
                                           const DependencyClosure& /*closure*/,
                                           const std::string& path) {
  std::vector<std::string> names;
  bool is_any_relative = false;
  for (const std::string& name : file.object->needed) {
    if (name.find('/') == std::string::npos) continue;
    names.push_back("\"" + diagnostics::Shorten(name) + "\"");
    is_any_relative = is_any_relative || (name.front() != '/' && name.front() != '$');
  }
  if (names.empty()) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kNeededByPath, path,
      "needs " + diagnostics::JoinSomeWithAnd(names) + " by path",
      std::string("found a path ") +
          (is_any_relative ? "that is looked up from the current directory of the program"
                           : "that no search path can change") +
          ", expected the SONAME of a library",
      "vendor: give the library a name with -Wl,-soname and link again",
      is_any_relative ? Severity::kWarning : Severity::kNote);
}

std::optional<Diagnostic> CheckReplacedLibraries(const Library& /*file*/,
                                                 const DependencyClosure& closure,
                                                 const std::string& path) {
  std::vector<std::string> names;
  std::vector<std::string> replacements;
  for (const ReplacedLibrary& row : closure.replaced) {
    names.push_back(row.library->name);
    replacements.push_back(row.replacement + " instead of " + row.library->object->path);
  }
  if (names.empty()) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kReplacedLibrary, path,
      "will use the " + diagnostics::JoinSomeWithAnd(names) + " that this program already has",
      "the loader takes " + diagnostics::JoinSomeWithAnd(replacements) +
          ", because one file serves all that need a name",
      "if the two differ, vendor: give the library a name of its own", Severity::kNote);
}

// What a backend brings along is what it was tested with.
std::optional<Diagnostic> CheckLibraryPath(const Library& /*file*/,
                                           const DependencyClosure& closure,
                                           const std::string& path) {
  std::vector<std::string> names;
  std::vector<std::string> taken;
  for (const std::unique_ptr<Library>& library : closure.libraries) {
    const std::string own = FindOwnCopy(*library);
    if (own.empty()) continue;
    names.push_back(library->name);
    taken.push_back(library->object->path + " instead of " + own);
  }
  if (names.empty()) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kLibraryPathOverride, path,
      "will use the " + diagnostics::JoinSomeWithAnd(names) + " that LD_LIBRARY_PATH leads to",
      "the loader takes " + diagnostics::JoinSomeWithAnd(taken) +
          ", because LD_LIBRARY_PATH comes before the run path (RUNPATH)",
      "if the backend's own is wanted, take the directory out of LD_LIBRARY_PATH", Severity::kNote);
}

}  // namespace backplane::libraries
