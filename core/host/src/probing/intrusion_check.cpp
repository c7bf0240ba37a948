#include "probing/manifest_checks.hpp"

#include "diagnostics/file_words.hpp"

#include <string>
#include <vector>

namespace backplane::probing {

void CheckIntrusions(IntrusiveBackends policy, const Candidate& candidate,
                     CandidateLadder& ladder) {
  if (policy == IntrusiveBackends::kAllow || candidate.intrusions.empty()) return;
  std::vector<std::string> deeds;
  for (const Intrusion intrusion : candidate.intrusions) {
    deeds.emplace_back(GetIntrusionText(intrusion));
  }
  ladder.Begin(Stage::kCreate);
  ladder.Report(diagnostics::DescribeFile(
      DiagnosticCode::kIntrusiveBackend, candidate.path,
      "works, but is not opened in an application's process",
      "run in a process of its own, it " + diagnostics::JoinWithAnd(deeds) +
          "; expected that it leaves to the application what belongs to the whole process",
      "take a version that does not, or allow it with --allow-intrusive "
      "(ProbeSettings::intrusive) where the application can bear it"));
  ladder.Stop();
}

}  // namespace backplane::probing
