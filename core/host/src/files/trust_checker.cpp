#include "files/trust_checker.hpp"

#include "files/file_digest.hpp"
#include "files/path_walk.hpp"
#include "files/private_group.hpp"
#include "files/trust_diagnostics.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

namespace backplane::files {
namespace {

struct SplitPath {
  std::string directory;
  std::string name;
};

SplitPath Split(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return {".", path};
  return {path.substr(0, slash + (slash == 0 ? 1 : 0)), path.substr(slash + 1)};
}

/// Whether `path` is `directory` and `name`, without making that string.
bool IsIn(const std::string& path, const std::string& directory, const std::string& name) {
  const std::size_t length = directory == "/" ? 0 : directory.size();
  return path.size() == length + 1 + name.size() && path[length] == '/' &&
         path.compare(0, length, directory, 0, length) == 0 &&
         path.compare(length + 1, name.size(), name) == 0;
}

bool IsError(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::kError;
}

/// The files, without the lines, in which settings stand; each once.
std::vector<std::string> CollectFiles(const std::vector<Setting>& settings) {
  std::vector<std::string> files;
  for (const Setting& setting : settings) {
    std::string file = setting.origin.substr(0, setting.origin.rfind(':'));
    if (files.empty() || files.back() != file) files.push_back(std::move(file));
  }
  return files;
}

Diagnostic DescribeNoDigest(const std::string& path, int error) {
  Diagnostic diagnostic{DiagnosticCode::kFileUnreadable};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = "the digest of " + path + " could not be computed";
  diagnostic.why = std::string("found ") + std::strerror(error) + ", expected to read all of it";
  diagnostic.fix = "copy the file again from where it came from";
  return diagnostic;
}

}  // namespace

TrustChecker::TrustChecker(TrustOptions options, std::vector<Setting> digests)
    : options_(std::move(options)),
      digests_(std::move(digests)),
      policy_(EffectivePolicy(options_.policy, ::getauxval(AT_SECURE) != 0)),
      user_{::geteuid(), [this](gid_t group) { return IsPrivateToUser(group); }} {}

std::vector<Diagnostic> TrustChecker::Check(const std::string& path, const CandidateFile& file) {
  std::vector<Diagnostic> diagnostics;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    CheckOwnersAndModes(path, file.canonical_path, file.status, diagnostics);
  }
  if (!options_.digest_list.empty() || !digests_.empty()) CheckDigest(path, file, diagnostics);
  return diagnostics;
}

std::vector<Diagnostic> TrustChecker::CheckWriters(const std::string& path,
                                                   const struct stat& status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return FindWriters(path, status);
}

void TrustChecker::CheckOwnersAndModes(const std::string& path, const std::string& canonical_path,
                                       const struct stat& status,
                                       std::vector<Diagnostic>& diagnostics) {
  if (policy_ == TrustPolicy::kOff) return;
  std::vector<Finding> findings = Judge(policy_, {canonical_path, StepKind::kFile, status}, user_);
  CheckWay(path, canonical_path, findings, diagnostics);
  if (findings.empty()) return;
  std::vector<Diagnostic> described = DescribeFindings(path, findings, user_);
  std::move(described.begin(), described.end(), std::back_inserter(diagnostics));
}

void TrustChecker::CheckWay(const std::string& path, const std::string& canonical_path,
                            std::vector<Finding>& findings, std::vector<Diagnostic>& diagnostics) {
  const SplitPath split = Split(path);
  const Directory& directory = GetDirectory(split.directory);
  findings.insert(findings.end(), directory.findings.begin(), directory.findings.end());
  if (!directory.failure.empty()) {
    diagnostics.push_back(DescribePathNotChecked(path, directory.failure));
    return;
  }
  if (IsIn(canonical_path, directory.canonical_path, split.name)) return;
  // A link: others count who could point it elsewhere.
  const PathWalk walk = WalkPath(directory.canonical_path, split.name);
  JudgeSteps(walk.steps, findings);
  if (!walk.is_complete) {
    diagnostics.push_back(DescribePathNotChecked(path, walk.failure));
  } else if (walk.end != canonical_path) {
    diagnostics.push_back(DescribePathNotChecked(
        path, "found that it leads to " + walk.end + ", expected " + canonical_path));
  }
}

const TrustChecker::Directory& TrustChecker::GetDirectory(const std::string& path) {
  const auto known = directories_.find(path);
  if (known != directories_.end()) return known->second;
  Directory directory;
  PathWalk walk = WalkPath(path);
  directory.canonical_path = walk.end;
  directory.failure = walk.failure;
  for (Step& step : walk.steps) {
    if (step.path == walk.end) step.kind = StepKind::kHolder;
  }
  JudgeSteps(walk.steps, directory.findings);
  // Only when all of it is known: what is thrown on the way must not leave a half of it behind.
  return directories_.emplace(path, std::move(directory)).first->second;
}

void TrustChecker::JudgeSteps(const std::vector<Step>& steps,
                              std::vector<Finding>& findings) const {
  for (const Step& step : steps) {
    std::vector<Finding> of_step = Judge(policy_, step, user_);
    std::move(of_step.begin(), of_step.end(), std::back_inserter(findings));
  }
}

void TrustChecker::CheckDigest(const std::string& path, const CandidateFile& file,
                               std::vector<Diagnostic>& diagnostics) {
  const LoadedDigestList& loaded = GetDigestList();
  if (loaded.failure) {
    diagnostics.push_back(*loaded.failure);
    diagnostics.back().subject = {SubjectKind::kFile, path};
    return;
  }
  const auto digest = ComputeSha256(file.descriptor.Get());
  if (!digest) {
    diagnostics.push_back(DescribeNoDigest(path, errno));
  } else if (!loaded.list.Contains(*digest)) {
    diagnostics.push_back(DescribeDigestNotListed(path, file.canonical_path, *digest,
                                                  {options_.digest_list, CollectFiles(digests_)},
                                                  loaded.list));
  }
}

const LoadedDigestList& TrustChecker::GetDigestList() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (digest_list_) return *digest_list_;
  LoadedDigestList loaded = LoadOptionalList();
  for (const Setting& digest : digests_) loaded.list.Read(digest.value);
  return digest_list_.emplace(std::move(loaded));
}

LoadedDigestList TrustChecker::LoadOptionalList() {
  const std::string& path = options_.digest_list;
  if (path.empty()) return {};
  LoadedDigestList loaded = LoadDigestList(path);
  if (loaded.failure) return loaded;
  // Whoever may write the list may allow anything.
  std::vector<Diagnostic> reasons = FindWriters(path, loaded.status);
  if (!reasons.empty()) {
    loaded.failure = DescribeDigestListUnreadable(
        path, "found that others may change it, expected what the trust policy demands");
    loaded.failure->fix = reasons.front().fix;
    loaded.failure->causes = std::move(reasons);
  }
  return loaded;
}

std::vector<Diagnostic> TrustChecker::FindWriters(const std::string& path,
                                                  const struct stat& status) {
  std::vector<Diagnostic> reasons;
  CheckOwnersAndModes(path, WalkPath(path).end, status, reasons);
  reasons.erase(std::remove_if(reasons.begin(), reasons.end(), std::not_fn(IsError)),
                reasons.end());
  return reasons;
}

bool TrustChecker::IsPrivateToUser(gid_t group) {
  const auto known = private_groups_.find(group);
  if (known != private_groups_.end()) return known->second;
  const bool is_private = IsPrivateGroup(group, user_.id) || IsPrivateGroup(group, 0);
  private_groups_.emplace(group, is_private);
  return is_private;
}

}  // namespace backplane::files
