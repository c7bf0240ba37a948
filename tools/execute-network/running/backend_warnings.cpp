#include "running/backend_warnings.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

namespace backplane::execute_network {

std::vector<Diagnostic> CollectBackendWarnings(const LoadReport& report,
                                               const Placement& placement) {
  std::set<std::string> used;
  for (const LayerPlacement& layer : placement.layers) used.insert(layer.backend_id);
  std::vector<Diagnostic> warnings;
  for (const Candidate& candidate : report.candidates) {
    const bool is_used = candidate.status == CandidateStatus::kLoaded && candidate.identity &&
                         used.count(candidate.identity->id) != 0;
    if (!is_used) continue;
    std::copy_if(
        candidate.diagnostics.begin(), candidate.diagnostics.end(), std::back_inserter(warnings),
        [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kWarning; });
  }
  if (report.joint_run) {
    const std::vector<Diagnostic>& doubts = report.joint_run->diagnostics;
    warnings.insert(warnings.end(), doubts.begin(), doubts.end());
  }
  return warnings;
}

}  // namespace backplane::execute_network
