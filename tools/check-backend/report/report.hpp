#pragma once

#include "command_line/terminal.hpp"
#include "running/run_rule.hpp"

#include <backplane/host/load_report.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane::check_backend {

enum class Verdict {
  kKept,        // every rule that could be applied
  kAdvised,     // only rules of kShould are broken
  kBroken,      // a rule of kMust is broken
  kNotChecked,  // the file does not load
};

/// "kept", ... Static storage.
const char* GetVerdictName(Verdict verdict);

struct Report {
  Candidate candidate;
  std::uint32_t seed = 1;
  bool is_quick = false;
  std::vector<RuleResult> results;
  std::vector<std::string> speed;  // lines of the table; empty: it was not measured
  std::chrono::milliseconds duration{0};
};

Verdict GetVerdict(const Report& report);

enum class Outcome { kKept, kBroken, kSkipped };

Outcome GetOutcome(const RuleResult& result);

/// The command that repeats a finding, or the whole rule.
std::string WriteRepetition(const Report& report, const RuleResult& result, const Finding* finding);

std::string ShowText(const Report& report, const command_line::Terminal& terminal);
/// With "schema": 1; see docs/check-backend.schema.json.
std::string ShowJson(const Report& report);
std::string ShowJunit(const Report& report);

}  // namespace backplane::check_backend
