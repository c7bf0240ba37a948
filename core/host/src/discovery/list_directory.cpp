#include "discovery/list_directory.hpp"

#include "discovery/canonical_path.hpp"

#include <boost/filesystem.hpp>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace backplane::discovery {
namespace {

namespace fs = boost::filesystem;

bool IsBefore(const DirectoryEntry& a, const DirectoryEntry& b) {
  if (a.name.has_value() != b.name.has_value()) return a.name.has_value();
  if (a.name) return IsTriedBefore(*a.name, *b.name);
  return a.file_name < b.file_name;
}

Diagnostic DescribeUnreadable(const std::string& directory, const std::string& reason) {
  Diagnostic diagnostic{DiagnosticCode::kSearchPathUnreadable, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kDirectory, directory};
  diagnostic.what = "the search path " + directory + " cannot be read to its end";
  diagnostic.why = reason;
  diagnostic.fix = "check the directory and its file system, then scan again";
  return diagnostic;
}

Diagnostic DescribeTooMany(const std::string& directory, std::size_t most_entries) {
  Diagnostic diagnostic{DiagnosticCode::kTooManyEntries, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kDirectory, directory};
  diagnostic.what = "the search path " + directory + " was not read to its end";
  diagnostic.why = "found more than " + std::to_string(most_entries) +
                   " entries, and stopped there; expected a directory of backends";
  diagnostic.fix = "put the backends into a directory of their own";
  return diagnostic;
}

DirectoryEntry MakeEntry(const std::string& directory, const std::string& canonical_directory,
                         const fs::path& found) {
  DirectoryEntry entry;
  entry.file_name = found.filename().string();
  entry.path = directory + (directory.back() == '/' ? "" : "/") + entry.file_name;
  entry.direct_path = canonical_directory + "/" + entry.file_name;
  entry.name = ParseBackendFileName(entry.file_name);
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
  boost::system::error_code error;
  const std::string canonical_directory = GetCanonicalPath(directory);
  if (canonical_directory.empty()) error.assign(errno, boost::system::system_category());
  fs::directory_iterator position;
  if (!error) position = fs::directory_iterator(directory, error);
  std::vector<DirectoryEntry> entries;
  while (!error && position != fs::directory_iterator()) {
    if (entries.size() == most_entries) {
      listing.failure = DescribeTooMany(directory, most_entries);
      break;
    }
    entries.push_back(MakeEntry(directory, canonical_directory, position->path()));
    position.increment(error);
  }
  if (error) listing.failure = DescribeUnreadable(directory, error.message());
  listing.entries = Sort(std::move(entries));
  return listing;
}

}  // namespace backplane::discovery
