#include "probing/check_report.hpp"

#include "inspection/file_words.hpp"

#include <utility>

namespace backplane::probing {
namespace {

std::string ToString(BackendVersion version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

std::string Quote(Stage stage) {
  return std::string("\"") + GetStageName(stage) + '"';
}

/// Of a candidate that is said to be loaded, and so has an identity.
std::string FindDisagreement(ProbeDepth depth, const std::optional<BackendVersion>& stated,
                             const ProbeAccount& account) {
  const Candidate& candidate = account.report->candidate;
  if (depth != ProbeDepth::kIdentify && candidate.stage != Stage::kCreate) {
    return "\"loaded\" without the stage \"create\"";
  }
  if (candidate.stage != account.stage) {
    return "\"loaded\" in the stage " + Quote(candidate.stage) + ", and the stage " +
           Quote(account.stage) + " as the last that was begun";
  }
  const BackendVersion version = candidate.identity->api_version;
  if (stated && version != *stated) {
    return "\"loaded\" with version " + ToString(version) +
           ", where the ABI note of the file says " + ToString(*stated);
  }
  return "";
}

}  // namespace

void CheckReport(ProbeDepth depth, const std::optional<BackendVersion>& stated,
                 ProbeAccount& account) {
  if (!account.report || account.report->candidate.status != CandidateStatus::kLoaded) return;
  account.report_fault = FindDisagreement(depth, stated, account);
  if (!account.report_fault.empty()) account.report.reset();
}

Diagnostic DescribeImpossibleReport(const std::string& path, const std::string& fault) {
  return inspection::DescribeFile(
      DiagnosticCode::kProbeReportInvalid, path,
      "was run, and the report of its process cannot be true",
      "found " + fault +
          ", expected what the stages write; code of the backend shares memory with the report and "
          "must have changed it",
      "remove it, or disable it with BACKPLANE_DISABLE_BACKENDS=" + inspection::GetFileName(path) +
          ", and send this text to its vendor");
}

}  // namespace backplane::probing
