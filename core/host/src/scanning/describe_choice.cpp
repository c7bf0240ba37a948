#include "scanning/describe_choice.hpp"

#include "scanning/variant_pins.hpp"

#include <algorithm>
#include <utility>

namespace backplane::scanning {
namespace {

constexpr char kHowToPin[] = "--variant or CreationOptions::variants";

Diagnostic Describe(DiagnosticCode code, Severity severity, const std::string& path,
                    std::string what, std::string why, std::string fix) {
  Diagnostic diagnostic{code, severity};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = std::move(what);
  diagnostic.why = std::move(why);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

bool IsForCpu(const Diagnostic& diagnostic) {
  return diagnostic.code == DiagnosticCode::kCpuFeatureMissing ||
         diagnostic.code == DiagnosticCode::kCpuLevelTooLow;
}

/// "rejected: ..." with the reason, as far as there is one.
std::string DescribeStatus(const Candidate& candidate) {
  std::string text = candidate.path + " is " + GetCandidateStatusName(candidate.status);
  const Diagnostic* reason = GetHeadline(candidate);
  return reason != nullptr ? text + " (" + reason->what + ")" : text;
}

}  // namespace

Diagnostic DescribeNotChosen(const std::string& id, const std::string& path,
                             const std::string& chosen, const std::string& why) {
  return Describe(
      DiagnosticCode::kVariantNotChosen, Severity::kNote, path,
      path + " is not used for the backend \"" + id + "\"", why + "; used is " + chosen,
      std::string("nothing needs to be done; to use this file, name it by ") + kHowToPin);
}

Diagnostic DescribeForeignId(const std::string& id, const std::string& path,
                             const std::string& vendor, const std::string& chosen,
                             const std::string& chosen_vendor) {
  Diagnostic diagnostic = Describe(
      DiagnosticCode::kBackendIdTaken, Severity::kError, path,
      "the backend id \"" + id + "\" is taken",
      path + " of the vendor \"" + vendor + "\" gives the id \"" + id +
          "\", which is registered by " + chosen + " of the vendor \"" + chosen_vendor +
          "\"; expected files of one vendor, as variants of one backend are",
      std::string("remove or disable one of the two, or name the one to use by ") + kHowToPin);
  diagnostic.subject = {SubjectKind::kBackend, id};
  return diagnostic;
}

Diagnostic DescribeStandIn(const std::string& id, const std::string& path,
                           const std::vector<const Candidate*>& before) {
  std::string why;
  auto severity = Severity::kNote;
  for (const Candidate* candidate : before) {
    why += (why.empty() ? "" : "; ") + DescribeStatus(*candidate);
    if (candidate->status == CandidateStatus::kRejected) severity = Severity::kWarning;
  }
  return Describe(
      DiagnosticCode::kVariantStandsIn, severity, path,
      path + " is used for the backend \"" + id + "\" because what comes before it cannot be",
      std::move(why), "see the reason of each file that comes before it");
}

Diagnostic DescribeUnmetPin(const std::string& id, const std::vector<VariantPin>& pins,
                            const std::vector<const Candidate*>& files) {
  std::string meant;
  std::string others;
  for (const Candidate* file : files) {
    std::string& list = IsMeant(pins, *file) ? meant : others;
    list += list.empty() ? "" : "; ";
    list += &list == &meant ? DescribeStatus(*file) : file->path;
  }
  const std::string why = meant.empty() ? "no file of this backend is called so" : meant;
  Diagnostic diagnostic{DiagnosticCode::kVariantPinUnmet};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what =
      "the backend \"" + id + "\" is to be " + NamePinned(pins) + ", which cannot be used";
  diagnostic.why = why + (files.empty()    ? "; nothing that was found gives this id"
                          : others.empty() ? "; there is no other"
                                           : "; found besides: " + others);
  diagnostic.fix = std::string("name one of the files found, by its path or by a glob of file ") +
                   "names, or leave the choice to the rule: take the id out of " + kHowToPin;
  return diagnostic;
}

bool IsForAnotherCpu(const Candidate& candidate) {
  if (candidate.status != CandidateStatus::kRejected) return false;
  return std::all_of(candidate.diagnostics.begin(), candidate.diagnostics.end(),
                     [](const Diagnostic& diagnostic) {
                       return diagnostic.severity != Severity::kError || IsForCpu(diagnostic);
                     });
}

void TurnIntoShadowed(const std::string& id, const std::string& chosen, Candidate& candidate) {
  std::string why;
  for (Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    diagnostic.severity = Severity::kNote;
    why += (why.empty() ? "" : "; ") + diagnostic.what;
  }
  candidate.diagnostics.insert(candidate.diagnostics.begin(),
                               DescribeNotChosen(id, candidate.path, chosen, why));
  candidate.status = CandidateStatus::kShadowed;
  candidate.shadowed_by = chosen;
}

}  // namespace backplane::scanning
