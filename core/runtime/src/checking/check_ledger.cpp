#include "checking/check_ledger.hpp"

#include <backplane/host/logging.hpp>

#include <utility>

namespace backplane::checking {

namespace {

constexpr char kCheckingChannel[] = "checking";

void LogFound(const Diagnostic& diagnostic) {
  const LogLevel level =
      diagnostic.severity == Severity::kNote ? LogLevel::kInfo : LogLevel::kWarning;
  if (IsLogEnabled(kCheckingChannel, level)) Log(kCheckingChannel, level, ToText(diagnostic));
}

}  // namespace

void CheckLedger::CountRun() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++report_.num_runs;
}

bool CheckLedger::Count(const FindingKey& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = findings_.find(key);
  if (found == findings_.end()) return false;
  ++report_.findings[found->second].num_runs;
  return true;
}

void CheckLedger::Add(const FindingKey& key, CheckFinding finding) {
  const Diagnostic diagnostic = finding.diagnostic;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [at, is_new] = findings_.emplace(key, report_.findings.size());
    if (!is_new) {
      ++report_.findings[at->second].num_runs;
      return;
    }
    finding.num_runs = 1;
    report_.findings.push_back(std::move(finding));
  }
  LogFound(diagnostic);
}

bool CheckLedger::IsUnchecked(const std::string& tensor) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return unchecked_.count(tensor) != 0;
}

void CheckLedger::AddUnchecked(const std::string& tensor, Diagnostic diagnostic) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!unchecked_.insert(tensor).second) return;
    report_.unchecked.push_back(diagnostic);
  }
  LogFound(diagnostic);
}

CheckReport CheckLedger::GetReport() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return report_;
}

}  // namespace backplane::checking
