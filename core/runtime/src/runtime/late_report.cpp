#include "runtime/late_report.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

// That it stands in for others was said by the scan, not by the stages of the file.
void KeepStandIn(const Candidate& before, Candidate& now) {
  for (const Diagnostic& diagnostic : before.diagnostics) {
    if (diagnostic.code == DiagnosticCode::kVariantStandsIn) now.diagnostics.push_back(diagnostic);
  }
}

void Replace(const Candidate& changed, LoadReport& report) {
  for (Candidate& candidate : report.candidates) {
    if (candidate.path != changed.path) continue;
    Candidate now = changed;
    KeepStandIn(candidate, now);
    candidate = std::move(now);
  }
}

}  // namespace

LateReport::LateReport(LoadReport report, const LateBackends& late) {
  for (const auto& [id, backend] : late) waiting_.push_back(backend);
  versions_.push_back(std::move(report));
}

const LoadReport& LateReport::Get() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto finished =
      std::stable_partition(waiting_.begin(), waiting_.end(),
                            [](const auto& late) { return late->GetOutcome() == nullptr; });
  if (finished == waiting_.end()) return versions_.back();
  // Others may be reading the last version.
  versions_.push_back(versions_.back());
  for (auto late = finished; late != waiting_.end(); ++late) {
    for (const Candidate& changed : (*late)->GetOutcome()->candidates) {
      Replace(changed, versions_.back());
    }
  }
  waiting_.erase(finished, waiting_.end());
  return versions_.back();
}

}  // namespace backplane
