#include "libraries/dependency_checks.hpp"

#include "diagnostics/file_words.hpp"
#include "libraries/library_releases.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <set>

namespace backplane::libraries {
namespace {

struct IsOlder {
  bool operator()(const std::string& a, const std::string& b) const {
    return strverscmp(a.c_str(), b.c_str()) < 0;
  }
};
using VersionSet = std::set<std::string, IsOlder>;

// "GLIBCXX_" of "GLIBCXX_3.4.30"; the whole of a version without a number, as "GLIBC_PRIVATE".
std::string GetPrefix(const std::string& version) {
  const std::size_t end = version.rfind('_') + 1;
  const bool has_number = end < version.size() && version[end] >= '0' && version[end] <= '9';
  return has_number ? version.substr(0, end) : version;
}

// The versions that are needed of a library, each with the libraries besides the file that need it.
using Needs = std::map<std::string, std::set<std::string>, IsOlder>;
using NeedsByLibrary = std::map<std::string, Needs>;

void AddNeeds(const Library& user, NeedsByLibrary& needs) {
  for (const elf::NeededVersion& version : user.object->needed_versions) {
    if (version.is_weak) continue;
    std::set<std::string>& users = needs[std::string(version.library)][std::string(version.name)];
    if (user.needed_by != nullptr) users.insert(user.name);
  }
}

NeedsByLibrary CollectNeeds(const Library& file, const DependencyClosure& closure) {
  NeedsByLibrary needs;
  AddNeeds(file, needs);
  for (const std::unique_ptr<Library>& library : closure.libraries) AddNeeds(*library, needs);
  return needs;
}

// The highest version of each series that a library has, by what the series begins with.
std::map<std::string, std::string> FindHighest(const VersionSet& defined) {
  std::map<std::string, std::string> highest;
  for (const std::string& version : defined) highest[GetPrefix(version)] = version;
  return highest;
}

// "GLIBC_2.38 (glibc 2.38: Ubuntu 23.10, Fedora 39)".
std::string DescribeVersion(const std::string& version) {
  const LibraryRelease release = FindRelease(version);
  if (release.name.empty()) return version;
  return version + " (" + release.name + (release.systems.empty() ? "" : ": ") + release.systems +
         ")";
}

std::string DescribePresent(const VersionSet& defined, const Needs& missing) {
  const std::map<std::string, std::string> highest_of_series = FindHighest(defined);
  std::set<std::string> words;
  for (const auto& [version, users] : missing) {
    const auto highest = highest_of_series.find(GetPrefix(version));
    if (highest == highest_of_series.end()) continue;
    const std::string name = FindRelease(highest->second).name;
    words.insert(highest->second + (name.empty() ? "" : " (" + name + ")"));
  }
  return words.empty()
             ? "provides none of this series"
             : "provides up to " + diagnostics::JoinSomeWithAnd({words.begin(), words.end()});
}

std::string DescribeFix(const Library& library, const Needs& missing) {
  const std::string release = FindRelease(missing.rbegin()->first).name;
  if (release.compare(0, 5, "glibc") == 0) {
    return "use a system with " + release +
           " or newer, or get a build of this backend for an older system";
  }
  const std::string from = release.empty() ? "" : " of " + release;
  return "install a newer " + library.name + from +
         ", or get a build of this backend for an older system";
}

// "GLIBC_2.38 (glibc 2.38: Ubuntu 23.10, Fedora 39), which libmid.so.1 needs".
std::string DescribeNeed(const std::string& version, const std::set<std::string>& users) {
  const std::string text = DescribeVersion(version);
  if (users.empty()) return text;
  return text + ", which " + diagnostics::JoinSomeWithAnd({users.begin(), users.end()}) +
         (users.size() == 1 ? " needs" : " need");
}

Diagnostic DescribeMissing(const Library& library, const VersionSet& defined, const Needs& missing,
                           const std::string& path) {
  std::vector<std::string> described;
  for (const auto& [version, users] : missing) described.push_back(DescribeNeed(version, users));
  return diagnostics::DescribeFile(DiagnosticCode::kMissingSymbolVersion, path,
                                   "needs a newer " + library.name + " than this machine has",
                                   "expected " + diagnostics::JoinSomeWithAnd(described) + "; " +
                                       library.object->path + " " +
                                       DescribePresent(defined, missing),
                                   DescribeFix(library, missing));
}

// The loader ends the process when it looks for a versioned symbol in such a library.
Diagnostic DescribeLost(const Library& library, const Needs& needed, const std::string& path) {
  std::vector<std::string> versions;
  for (const auto& [version, users] : needed) versions.push_back(version);
  return diagnostics::DescribeFile(
      DiagnosticCode::kLostSymbolVersions, path,
      "needs " + library.name + " with versions, but what is there has none",
      "expected " + diagnostics::JoinSomeWithAnd(versions) + "; " + library.object->path +
          " is a replacement without versions, with which the loader ends the process",
      "install the original " + library.name + " in its place");
}

}  // namespace

std::vector<Diagnostic> CheckSymbolVersions(const Library& file, const DependencyClosure& closure,
                                            const std::string& path) {
  const NeedsByLibrary all_needs = CollectNeeds(file, closure);
  std::vector<Diagnostic> diagnostics;
  for (const std::unique_ptr<Library>& library : closure.libraries) {
    const auto found = all_needs.find(library->name);
    if (found == all_needs.end() || closure.IsReplaced(*library)) continue;
    const std::vector<std::string>& names = library->object->defined_versions;
    const VersionSet defined(names.begin(), names.end());
    Needs missing = found->second;
    for (const std::string& version : defined) missing.erase(version);
    if (missing.empty()) continue;
    diagnostics.push_back(defined.empty() ? DescribeLost(*library, missing, path)
                                          : DescribeMissing(*library, defined, missing, path));
  }
  return diagnostics;
}

}  // namespace backplane::libraries
