#include "files/trust_diagnostics.hpp"

#include <backplane/host/shell_word.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <utility>

namespace backplane::files {
namespace {

constexpr mode_t kPermissions = 07777;
constexpr std::size_t kMaxFaultsShown = 20;
constexpr std::size_t kMaxLineShown = 80;

std::string FormatMode(mode_t mode) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%04o", static_cast<unsigned>(mode & kPermissions));
  return text.data();
}

std::string FormatStep(const Step& step) {
  if (step.kind == StepKind::kFile) return step.path;
  return (step.kind == StepKind::kLink ? "the link " : "the directory ") + step.path;
}

template <typename Format>
std::string Join(const std::vector<const Step*>& steps, const std::string& separator,
                 Format format) {
  std::string text;
  for (const Step* step : steps) text += (text.empty() ? "" : separator) + format(*step);
  return text;
}

std::string JoinPaths(const std::vector<const Step*>& steps) {
  return Join(steps, " ", [](const Step& step) { return QuoteForShell(step.path); });
}

std::string FormatStepMode(const Step& step) {
  return FormatStep(step) + " with mode " + FormatMode(step.status.st_mode);
}

std::string JoinPlaces(const DigestPlaces& places) {
  std::string text = places.list;
  for (const std::string& file : places.drop_ins) text += (text.empty() ? "" : " or ") + file;
  return text;
}

void DescribeWritableFile(Diagnostic& diagnostic, const std::string& path,
                          const std::vector<const Step*>& steps) {
  diagnostic.what = path + " may be written by any user";
  diagnostic.why = "found mode " + FormatMode(steps.front()->status.st_mode) +
                   ", expected one without the right to write for others";
  diagnostic.fix = "if its content is what you installed, run: chmod o-w " + JoinPaths(steps);
}

void DescribeWritableDirectory(Diagnostic& diagnostic, const std::string& path,
                               const std::vector<const Step*>& steps) {
  diagnostic.what = path + " may be replaced by any user";
  diagnostic.why =
      "found " + Join(steps, ", ", FormatStepMode) + "; expected that others may not write there";
  const bool has_sticky = std::any_of(steps.begin(), steps.end(), [](const Step* step) {
    return (step->status.st_mode & S_ISVTX) != 0;
  });
  // Such a directory is shared on purpose.
  diagnostic.fix = has_sticky ? std::string("keep backends where only root or the user may write")
                              : "run: chmod o-w " + JoinPaths(steps);
}

void DescribeGroupWritable(Diagnostic& diagnostic, const std::string& path,
                           const std::vector<const Step*>& steps) {
  diagnostic.what = path + " may be changed or replaced by the members of a group";
  diagnostic.why =
      "found " +
      Join(steps, ", ",
           [](const Step& step) {
             return FormatStepMode(step) + " and group " + std::to_string(step.status.st_gid);
           }) +
      "; expected that the group may not write";
  diagnostic.fix = std::string(diagnostic.severity == Severity::kNote
                                   ? "unless every member of the group is trusted, run"
                                   : "keep backends elsewhere, or run") +
                   ": chmod g-w " + JoinPaths(steps);
}

void DescribeForeignOwner(Diagnostic& diagnostic, const std::string& path,
                          const std::vector<const Step*>& steps, uid_t user) {
  diagnostic.what = path + " may be changed or replaced by another user";
  diagnostic.why =
      "found " +
      Join(steps, ", ",
           [](const Step& step) {
             return FormatStep(step) + " with owner " + std::to_string(step.status.st_uid);
           }) +
      "; expected root" + (user == 0 ? "" : " or user " + std::to_string(user) + ", who runs this");
  diagnostic.fix =
      std::string(diagnostic.severity == Severity::kNote ? "unless that user is trusted, run"
                                                         : "keep backends elsewhere, or run") +
      ": chown -h root " + JoinPaths(steps);
}

Diagnostic DescribeSteps(const Finding& first, const std::string& path,
                         const std::vector<const Step*>& steps, const User& user) {
  Diagnostic diagnostic{first.code, first.severity};
  diagnostic.subject = {SubjectKind::kFile, path};
  if (first.code == DiagnosticCode::kWritableByOthers) {
    DescribeWritableFile(diagnostic, path, steps);
  } else if (first.code == DiagnosticCode::kDirectoryWritableByOthers) {
    DescribeWritableDirectory(diagnostic, path, steps);
  } else if (first.code == DiagnosticCode::kGroupWritable) {
    DescribeGroupWritable(diagnostic, path, steps);
  } else {
    DescribeForeignOwner(diagnostic, path, steps, user.id);
  }
  return diagnostic;
}

}  // namespace

std::vector<Diagnostic> DescribeFindings(const std::string& path,
                                         const std::vector<Finding>& findings, const User& user) {
  std::vector<Diagnostic> diagnostics;
  for (const DiagnosticCode code :
       {DiagnosticCode::kWritableByOthers, DiagnosticCode::kDirectoryWritableByOthers,
        DiagnosticCode::kForeignOwner, DiagnosticCode::kGroupWritable}) {
    const Finding* first = nullptr;
    std::vector<const Step*> steps;
    std::set<std::string> paths;  // a directory may have been passed twice
    for (const Finding& finding : findings) {
      if (finding.code != code || !paths.insert(finding.step.path).second) continue;
      if (first == nullptr) first = &finding;
      steps.push_back(&finding.step);
    }
    if (first != nullptr) diagnostics.push_back(DescribeSteps(*first, path, steps, user));
  }
  return diagnostics;
}

Diagnostic DescribePathNotChecked(const std::string& path, const std::string& reason) {
  Diagnostic diagnostic{DiagnosticCode::kPathNotChecked};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = "the directories that lead to " + path + " could not be checked";
  diagnostic.why = reason;
  diagnostic.fix = "try again when nobody changes these directories any more";
  return diagnostic;
}

Diagnostic DescribeDigestNotListed(const std::string& path, const std::string& canonical_path,
                                   const std::string& digest, const DigestPlaces& places,
                                   const DigestList& list) {
  Diagnostic diagnostic{DiagnosticCode::kDigestNotListed};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " is not in the list of allowed digests " + JoinPlaces(places);
  diagnostic.why = "found SHA-256 " + digest;
  std::set<std::string> names;
  for (const std::string& name : {path, canonical_path}) {
    names.insert(name.substr(name.find_last_of('/') + 1));
  }
  std::string expected;
  for (const std::string& name : names) {
    for (const std::string& listed : list.FindDigests(name)) {
      expected.append(expected.empty() ? ", expected for " + name + " is " : " or ").append(listed);
    }
  }
  diagnostic.why += expected.empty()
                        ? ", expected one of the list, which has " +
                              std::to_string(list.GetSize()) + " and none for this file name"
                        : expected;
  diagnostic.fix = "if this file is the one that is wanted, ";
  diagnostic.fix +=
      places.list.empty()
          ? "add to " + places.drop_ins.front() + " the line: digest = " + digest
          : "run: sha256sum " + QuoteForShell(canonical_path) + " >> " + QuoteForShell(places.list);
  return diagnostic;
}

Diagnostic DescribeDigestListUnreadable(const std::string& list_path, const std::string& reason) {
  Diagnostic diagnostic{DiagnosticCode::kDigestListUnreadable};
  diagnostic.subject = {SubjectKind::kFile, list_path};
  diagnostic.what = "the list of allowed digests " + list_path + " cannot be used";
  diagnostic.why = reason + "; no file is allowed without it";
  diagnostic.fix = "name a file that sha256sum has written, or leave the list out";
  return diagnostic;
}

Diagnostic DescribeMalformedDigestList(const std::string& list_path, const DigestList& list) {
  const std::vector<DigestList::Fault>& faults = list.GetFaults();
  Diagnostic diagnostic = DescribeDigestListUnreadable(
      list_path, "found " + std::to_string(faults.size()) +
                     (faults.size() == 1 ? " line" : " lines") +
                     " that cannot be read, expected \"<64 hexadecimal digits>  <name>\"");
  diagnostic.fix = "correct or remove these lines, or write the list again with sha256sum";
  for (std::size_t i = 0; i < std::min(faults.size(), kMaxFaultsShown); ++i) {
    Diagnostic cause{DiagnosticCode::kDigestListUnreadable};
    cause.subject = diagnostic.subject;
    cause.what = "line " + std::to_string(faults[i].line) + " of " + list_path + " cannot be read";
    cause.why = "found \"" + faults[i].found.substr(0, kMaxLineShown) + "\"";
    diagnostic.causes.push_back(std::move(cause));
  }
  return diagnostic;
}

}  // namespace backplane::files
