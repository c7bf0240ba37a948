#pragma once

#include "files/candidate_file.hpp"
#include "probing/probe_file.hpp"

#include <backplane/host/scan.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::probing {

/// The circumstances of a verdict, which holds for as long as all of them are the same.
struct Circumstances {
  std::string host;         // the library, the probe and the machine since it was started
  std::string environment;  // what decides which libraries are found
  std::string path;         // of the file, as given
  std::string canonical_path;
  files::FileStamp stamp;
};

/// The record that is kept of one run in a process of its own.
struct VerdictRecord {
  Circumstances circumstances;
  std::vector<MappedFile> files;    // what else it rests on, the file itself not among it
  std::chrono::seconds written{0};  // since 1970
  Candidate candidate;              // status, stage, stages, identity and diagnostics
};

std::string EncodeRecord(const VerdictRecord& record);

/// Nothing: the text is not a record, or not as it was written.
std::optional<VerdictRecord> DecodeRecord(std::string_view text);

bool operator==(const Circumstances& a, const Circumstances& b);

constexpr std::size_t kChecksumDigits = 16;

/// Computes so many hexadecimal digits, which tell a text from one that was damaged by accident
/// (FNV-1a). A user who may write the file can forge them.
std::string ComputeChecksum(std::string_view text);

/// Where this user's verdicts are kept: backplane/verdicts in $XDG_CACHE_HOME, or else in
/// $HOME/.cache. "" when there is no such place, as in secure execution.
std::string FindCacheDirectory();

/// Verdicts of earlier runs in processes of their own. Whatever is wrong with what is kept, at
/// worst nothing is found, and nothing kept is ever an error.
///
/// Threads: any; processes may share the directory.
class VerdictCache {
 public:
  explicit VerdictCache(const ProbeSettings& settings);

  /// The reason why verdicts cannot be kept. Nothing: they can, or there is no place for them.
  const std::optional<Diagnostic>& GetFault() const { return fault_; }

  /// The circumstances of a verdict on this state of this file. `path` is the one given, which the
  /// words of the verdict name.
  Circumstances Describe(const files::CandidateFile& file, const std::string& path) const;

  /// The same for backends that are run together after a program's libraries: one record for each
  /// list of paths, and its state is that of all files of the list.
  Circumstances Describe(const std::vector<ProgramLibrary>& libraries,
                         const std::vector<PluginFile>& files) const;

  /// The verdict that was given under these, when there is one that still holds.
  std::optional<VerdictRecord> Find(const Circumstances& circumstances) const;

  /// Keeps a verdict, when it is of the kind that can hold.
  void Store(const Circumstances& circumstances, const ProbeVerdict& verdict) const;

 private:
  std::string GetRecordPath(const std::string& canonical_path) const {
    return directory_ + '/' + ComputeChecksum(canonical_path) + ".verdict";
  }

  VerdictUse use_;
  std::string directory_;  // "": nothing is kept
  std::optional<Diagnostic> fault_;
  std::string host_;
  std::string environment_;
};

}  // namespace backplane::probing
