#include "files/list_directory.hpp"

#include "files/canonical_path.hpp"

#include <backplane/host/system_refusal.hpp>

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace backplane::files {
namespace {

struct DirectoryCloser {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

bool IsBefore(const DirectoryEntry& a, const DirectoryEntry& b) {
  if (a.name.has_value() != b.name.has_value()) return a.name.has_value();
  if (a.name) return IsTriedBefore(*a.name, *b.name);
  return a.file_name < b.file_name;
}

Diagnostic DescribeUnreadable(const std::string& directory, int error) {
  Diagnostic diagnostic{DiagnosticCode::kSearchPathUnreadable, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kDirectory, directory};
  diagnostic.what = "the search path " + directory + " cannot be read to its end";
  const auto refusal = ExplainRefusal(error);
  diagnostic.why =
      std::string(std::strerror(error)) + (refusal ? "; found: " + refusal->found : "");
  diagnostic.fix = refusal ? refusal->cure + ", then scan again"
                           : "check the directory and its file system, then scan again";
  return diagnostic;
}

Diagnostic DescribeTooMany(const std::string& directory, std::size_t most_entries) {
  Diagnostic diagnostic{DiagnosticCode::kTooManyEntries, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kDirectory, directory};
  diagnostic.what = "the search path " + directory + " was not read to its end";
  diagnostic.why = "found more than " + std::to_string(most_entries) +
                   " names of backends, and stopped there; expected fewer";
  diagnostic.fix = "put the backends into several directories";
  return diagnostic;
}

/// Nothing is lost but names for --all.
Diagnostic DescribeManyOthers(const std::string& directory, std::size_t most_entries) {
  Diagnostic diagnostic{DiagnosticCode::kTooManyEntries, Severity::kNote};
  diagnostic.subject = {SubjectKind::kDirectory, directory};
  diagnostic.what = "the search path " + directory + " has many other files";
  diagnostic.why = "found more than " + std::to_string(most_entries) +
                   " names that are not those of backends, and left out the rest of these";
  diagnostic.fix = "put the backends into a directory of their own";
  return diagnostic;
}

/// Whether it may be a directory for processors of a level, whose names are short.
bool MayBeLevel(const dirent& entry) {
  constexpr std::size_t kLongestName = 16;
  return entry.d_type != DT_REG && std::strlen(entry.d_name) <= kLongestName;
}

std::string Join(const std::string& directory, std::string_view file_name) {
  std::string path;
  path.reserve(directory.size() + 1 + file_name.size());
  path += directory;
  if (directory.back() != '/') path += '/';
  return path += file_name;
}

DirectoryEntry MakeEntry(const std::string& directory, const std::string& canonical_directory,
                         std::string_view file_name) {
  DirectoryEntry entry;
  entry.file_name = file_name;
  entry.path = Join(directory, file_name);
  entry.direct_path = Join(canonical_directory, file_name);
  entry.name = ParseBackendFileName(file_name);
  return entry;
}

/// Sorts pointers, because entries are large to move.
std::vector<DirectoryEntry> Sort(std::vector<DirectoryEntry> entries) {
  std::vector<DirectoryEntry*> order;
  order.reserve(entries.size());
  for (DirectoryEntry& entry : entries) order.push_back(&entry);
  std::sort(order.begin(), order.end(),
            [](const DirectoryEntry* a, const DirectoryEntry* b) { return IsBefore(*a, *b); });
  std::vector<DirectoryEntry> sorted;
  sorted.reserve(entries.size());
  for (DirectoryEntry* entry : order) sorted.push_back(std::move(*entry));
  return sorted;
}

}  // namespace

DirectoryListing ListDirectory(const std::string& directory, std::size_t most_entries) {
  DirectoryListing listing;
  const std::string canonical_directory = GetCanonicalPath(directory);
  std::unique_ptr<DIR, DirectoryCloser> opened;
  if (!canonical_directory.empty()) opened.reset(::opendir(directory.c_str()));
  if (!opened) {
    listing.failure = DescribeUnreadable(directory, errno);
    return listing;
  }
  std::vector<DirectoryEntry> entries;
  std::size_t num_backends = 0;
  std::size_t num_others = 0;
  while (true) {
    errno = 0;  // the only way to tell the end from an error
    const dirent* found = ::readdir(opened.get());
    if (found == nullptr) break;
    const std::string_view file_name = found->d_name;
    if (file_name == "." || file_name == "..") continue;
    const bool is_backend = ParseBackendFileName(file_name).has_value();
    if (is_backend && num_backends++ == most_entries) {
      listing.failure = DescribeTooMany(directory, most_entries);
      break;
    }
    const bool is_kept = is_backend || num_others++ < most_entries || MayBeLevel(*found);
    if (is_kept) entries.push_back(MakeEntry(directory, canonical_directory, file_name));
  }
  if (!listing.failure && errno != 0) {
    listing.failure = DescribeUnreadable(directory, errno);
  }
  if (!listing.failure && num_others > most_entries) {
    listing.failure = DescribeManyOthers(directory, most_entries);
  }
  listing.entries = Sort(std::move(entries));
  return listing;
}

}  // namespace backplane::files
