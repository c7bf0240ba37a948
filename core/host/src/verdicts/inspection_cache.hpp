#pragma once

#include "discovery/candidate_file.hpp"
#include "inspection/inspect_file.hpp"

#include <backplane/host/scan.hpp>

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace backplane::verdicts {

/// What the stages that read a file found, of files that passed them without a remark and have a
/// manifest. It saves reading files that will be opened at first use, if at all. Whatever is wrong
/// with what is kept, at worst nothing is found, and nothing kept is ever an error.
///
/// Threads: any; processes may share the directory.
class InspectionCache {
 public:
  /// Reads what is kept; with kIgnore and kRefresh, nothing.
  explicit InspectionCache(const ProbeSettings& settings);
  /// Keeps what was added, unless the settings say kIgnore.
  ~InspectionCache();
  InspectionCache(const InspectionCache&) = delete;
  InspectionCache& operator=(const InspectionCache&) = delete;

  /// What is known of this state of this file, with stages that took no time.
  std::optional<inspection::InspectedFile> Find(const discovery::CandidateFile& file) const;

  /// Adds a file, when it is of the kind that is kept.
  void Add(const discovery::CandidateFile& file, const inspection::InspectedFile& inspected);

 private:
  struct Entry {
    discovery::FileStamp stamp;
    AbiNote note{};
    inspection::Manifest manifest;
  };
  using Entries = std::unordered_map<std::string, Entry>;  // by canonical path

  static std::string Encode(const Entries& entries, const std::string& host);
  static Entries Decode(const std::string& text, const std::string& host);

  std::string path_;  // "": nothing is kept
  std::string host_;
  Entries entries_;
  mutable std::mutex mutex_;
  bool has_news_ = false;
};

}  // namespace backplane::verdicts
