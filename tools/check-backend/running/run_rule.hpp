#pragma once

#include "harness/session.hpp"
#include "harness/shared_record.hpp"
#include "rules.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace backplane::check_backend {

struct RunSettings {
  SessionSettings session;
  std::chrono::milliseconds timeout{20'000};               // for one case without a sign of life
  std::uint64_t max_data_bytes = std::uint64_t{8} << 30U;  // that a process may allocate; 0: any
  /// Called now and then while a rule goes on, with the number of cases that were begun.
  std::function<void(std::uint64_t num_cases)> on_progress;
};

struct RuleResult {
  const Rule* rule = nullptr;
  /// Why it was not applied; "": it was.
  std::string skipped;
  std::uint64_t num_cases = 0;
  std::vector<Finding> findings;                           // the first of them
  std::uint64_t num_findings = 0;                          // all
  std::vector<std::pair<std::string, std::string>> notes;  // list and entry
  std::string code;  // C++ that repeats the first case with a finding, when asked for
  bool has_hung = false;
  std::chrono::milliseconds duration{0};
};

/// Runs one rule in processes of their own: another one behind each case that ended a process. No
/// code of the backend runs here.
/// Errors: std::system_error when no process can be made.
RuleResult RunRule(const Rule& rule, const RunSettings& settings);

}  // namespace backplane::check_backend
