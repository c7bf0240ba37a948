#pragma once

#include "files/candidate_file.hpp"
#include "files/load_digest_list.hpp"
#include "files/trust_policy.hpp"

#include <backplane/host/configuration.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/trust.hpp>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace backplane::files {

/// Judges the files of one scan. What it finds about a directory holds for the whole scan.
/// Threads: any.
class TrustChecker {
 public:
  /// `digests`: Configuration::digests, allowed beside those of the options' list.
  explicit TrustChecker(TrustOptions options, std::vector<Setting> digests = {});
  TrustChecker(const TrustChecker&) = delete;
  TrustChecker& operator=(const TrustChecker&) = delete;
  ~TrustChecker() = default;

  /// What is wrong with an opened file: its owner and mode, those of everything on the way to it,
  /// and its digest. An error among them refuses the file.
  std::vector<Diagnostic> Check(const std::string& path, const CandidateFile& file);

  /// Why others than the policy trusts may change or replace a file that says what to trust. Empty:
  /// they cannot.
  std::vector<Diagnostic> CheckWriters(const std::string& path, const struct stat& status);

 private:
  /// A directory in which candidates are.
  struct Directory {
    std::string canonical_path;
    std::vector<Finding> findings;
    std::string failure;  // not empty: the directory could not be reached
  };

  const Directory& GetDirectory(const std::string& path);
  void CheckWay(const std::string& path, const std::string& canonical_path,
                std::vector<Finding>& findings, std::vector<Diagnostic>& diagnostics);
  void CheckOwnersAndModes(const std::string& path, const std::string& canonical_path,
                           const struct stat& status, std::vector<Diagnostic>& diagnostics);
  void CheckDigest(const std::string& path, const CandidateFile& file,
                   std::vector<Diagnostic>& diagnostics);
  /// The list with the configured digests, which does not change once it is there.
  const LoadedDigestList& GetDigestList();
  LoadedDigestList LoadOptionalList();
  std::vector<Diagnostic> FindWriters(const std::string& path, const struct stat& status);
  bool IsPrivateToUser(gid_t group);
  void JudgeSteps(const std::vector<Step>& steps, std::vector<Finding>& findings) const;

  const TrustOptions options_;
  const std::vector<Setting> digests_;
  const TrustPolicy policy_;
  User user_;
  std::mutex mutex_;  // guards what is below
  std::map<gid_t, bool> private_groups_;
  std::unordered_map<std::string, Directory> directories_;
  std::optional<LoadedDigestList> digest_list_;
};

}  // namespace backplane::files
