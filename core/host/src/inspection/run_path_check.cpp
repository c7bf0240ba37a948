// Where the file makes the loader look for libraries, and who else may write there.

#include "diagnostics/file_words.hpp"
#include "elf/library_requester.hpp"
#include "inspection/elf_checks.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <memory>

namespace backplane::inspection {
namespace {

// What is wrong with one directory of a run path; empty when nothing is.
std::string FindFaultOfDirectory(const std::string& directory) {
  if (directory.empty()) return "is empty, which stands for the current directory";
  if (directory.front() != '/') return "is relative to the current directory";
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0 || (status.st_mode & S_IWOTH) == 0) return {};
  return "is writable by every user";
}

// The path that the loader will be given, in whose directory $ORIGIN leads.
std::string FindCanonicalPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> canonical(realpath(path.c_str(), nullptr),
                                                              &std::free);
  return canonical ? canonical.get() : path;
}

}  // namespace

std::optional<Diagnostic> CheckRunPath(const elf::File& elf, const std::string& path) {
  if (!elf.FindDynamicValue(DT_RUNPATH) && !elf.FindDynamicValue(DT_RPATH)) return std::nullopt;
  const elf::LibraryRequester requester = elf::ReadRequester(elf, FindCanonicalPath(path));
  const std::string& list = requester.has_runpath ? requester.runpath : requester.rpath;
  std::vector<std::string> faults;
  for (const std::string& element : elf::SplitRunPath(list)) {
    const std::string fault =
        FindFaultOfDirectory(elf::ExpandLoaderTokens(element, requester.origin));
    if (!fault.empty()) faults.push_back("\"" + diagnostics::Shorten(element) + "\" " + fault);
  }
  if (faults.empty()) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kUnsafeRunPath, path, "looks for libraries where others could put them",
      std::string("in ") + (requester.has_runpath ? "RUNPATH" : "RPATH") + " \"" +
          diagnostics::Shorten(list) + "\", " + diagnostics::JoinSomeWithAnd(std::move(faults)) +
          "; expected absolute directories, or $ORIGIN, that only their owner may "
          "write",
      "vendor: link with a run path of $ORIGIN, or none; or make the directory "
      "writable by its owner only",
      Severity::kWarning);
}

}  // namespace backplane::inspection
