#pragma once

/// The rows of defects.def, as tests use them.

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/scan.hpp>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace backplane::test {

/// Puts a value wherever a placeholder as "{folder}" stands.
void ReplacePlaceholder(std::string& text, const std::string& placeholder,
                        const std::string& value);

/// What a scan must say of the file of one row.
struct MockRow {
  std::string name;
  std::string recipe;
  std::string path;    // absolute
  std::string folder;  // absolute
  CandidateStatus status = CandidateStatus::kLoaded;
  Stage stage = Stage::kCreate;
  std::optional<DiagnosticCode> code;  // of the headline; none for what loads
  Subject subject;                     // of the headline
  std::string id;                      // of what loads
  std::vector<std::string> words;      // in the text of the headline
  bool is_remark = false;              // `code` and `words` are of any diagnostic, not the headline
  bool needs_child = false;            // its code may not run in the test's process
};

/// What GoogleTest shows for a row.
inline void PrintTo(const MockRow& row, std::ostream* stream) {
  *stream << row.path;
}

/// All rows, in the order of the table.
const std::vector<MockRow>& GetMockRows();

/// The row with this name; ends the test program when there is none.
const MockRow& GetMockRow(const std::string& name);

/// Scans directories, all stages, in this process.
LoadReport ScanFolders(const std::vector<std::string>& folders);

/// Scans the folder of one row, in this process. For a remark, the libraries and symbols of every
/// candidate are looked up.
LoadReport ScanHere(const MockRow& row);

/// As ScanHere, but the code of the row runs in a process of its own.
LoadReport ScanInChild(const MockRow& row);

/// Loads from directories.
LoadReport LoadFolders(const std::vector<std::string>& folders, BackendRegistry& registry);

/// The candidate with this path, or null.
const Candidate* FindCandidate(const LoadReport& report, const std::string& path);

/// The name of its status, or "absent".
std::string GetStatus(const LoadReport& report, const std::string& path);

/// The diagnostic with this code, or null.
const Diagnostic* FindDiagnostic(const Candidate& candidate, DiagnosticCode code);

/// The diagnostic that says most about a candidate, or null.
const Diagnostic* FindReason(const Candidate& candidate);

/// Whether this process has a file mapped whose path contains `part`.
bool IsMapped(const std::string& part);

/// An empty directory, removed with all it contains at the end.
class MockDirectory {
 public:
  MockDirectory();
  ~MockDirectory();
  MockDirectory(const MockDirectory&) = delete;
  MockDirectory& operator=(const MockDirectory&) = delete;

  const std::string& GetPath() const { return path_; }
  /// Copies the file of a row into it. Returns the copy's path.
  std::string Add(const std::string& row) const;
  /// Makes `count` copies of a backend with this id, each with a name and an id of its own. Returns
  /// their paths, in order.
  std::vector<std::string> AddCopies(const std::string& file, const std::string& id,
                                     int count) const;

 private:
  std::string path_;
};

}  // namespace backplane::test
