#include "command_line/diagnostic_view.hpp"
#include "report/report.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

using command_line::Colour;
using command_line::Paint;
using command_line::Terminal;
using command_line::WrapBehindLabel;

constexpr std::size_t kMaxShown = 3;

std::string DescribeBackend(const Candidate& candidate) {
  std::string text = candidate.path;
  if (!candidate.identity) return text;
  const BackendIdentity& identity = *candidate.identity;
  text += ": backend \"" + identity.id + "\"";
  if (!identity.version.empty()) text += " " + identity.version;
  if (!identity.vendor.empty()) text += " of " + identity.vendor;
  return text;
}

/// "BROKEN " and the like, as wide as each other.
std::string GetOutcomeText(const RuleResult& result) {
  switch (GetOutcome(result)) {
    case Outcome::kKept:
      return "kept   ";
    case Outcome::kSkipped:
      return "-      ";
    case Outcome::kBroken:
      break;
  }
  return result.rule->kind == RuleKind::kMust ? "BROKEN " : "advice ";
}

Colour GetOutcomeColour(const RuleResult& result) {
  switch (GetOutcome(result)) {
    case Outcome::kKept:
      return Colour::kGood;
    case Outcome::kSkipped:
      return Colour::kNone;
    case Outcome::kBroken:
      break;
  }
  return result.rule->kind == RuleKind::kMust ? Colour::kBad : Colour::kDoubtful;
}

/// The line of a rule, with its outcome in colour.
std::string ShowTitle(const Terminal& terminal, const RuleResult& result) {
  std::string title = result.rule->title;
  if (result.num_cases > 0) title += " (" + std::to_string(result.num_cases) + " cases)";
  const std::string id = GetRuleId(*result.rule) + "  ";
  const std::string outcome = GetOutcomeText(result);
  std::string text = WrapBehindLabel(terminal, 4, id + outcome, title);
  return text.replace(4 + id.size(), outcome.size(),
                      Paint(terminal, GetOutcomeColour(result), outcome));
}

std::string ShowFinding(const Terminal& terminal, const Report& report, const RuleResult& result,
                        const Finding& finding) {
  std::string text = WrapBehindLabel(terminal, 8, "did:      ", finding.done);
  text += WrapBehindLabel(terminal, 8, "seen:     ", finding.seen);
  text += WrapBehindLabel(terminal, 8, "expected: ", finding.expected);
  // Not wrapped: it is there to be copied.
  return text + "        repeat:   " + EscapeForDisplay(WriteRepetition(report, result, &finding)) +
         '\n';
}

std::string ShowRule(const Terminal& terminal, const Report& report, const RuleResult& result) {
  std::string text = ShowTitle(terminal, result);
  if (GetOutcome(result) == Outcome::kSkipped) {
    return text + WrapBehindLabel(terminal, 8, "not applied: ", result.skipped);
  }
  const std::size_t shown = std::min(kMaxShown, result.findings.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += ShowFinding(terminal, report, result, result.findings[i]);
  }
  if (result.num_findings > shown) {
    text += "        and " + std::to_string(result.num_findings - shown) + " more\n";
  }
  return text;
}

std::string Count(const Report& report) {
  std::size_t kept = 0;
  std::size_t broken = 0;
  std::size_t advised = 0;
  std::size_t skipped = 0;
  for (const RuleResult& result : report.results) {
    const Outcome outcome = GetOutcome(result);
    if (outcome == Outcome::kKept) ++kept;
    if (outcome == Outcome::kSkipped) ++skipped;
    if (outcome != Outcome::kBroken) continue;
    ++(result.rule->kind == RuleKind::kMust ? broken : advised);
  }
  char text[200];
  std::snprintf(text, sizeof(text),
                "%zu rules: %zu kept, %zu broken, %zu with advice, %zu not applied; %.1f s\n",
                report.results.size(), kept, broken, advised, skipped,
                static_cast<double>(report.duration.count()) / 1000);
  return text;
}

/// "Softmax: float32, float16" of several operators with the same types as one line.
std::vector<std::string> JoinEqual(const std::vector<std::string>& entries) {
  std::vector<std::pair<std::string, std::string>> lines;  // what is equal, and of which
  for (const std::string& entry : entries) {
    const std::size_t colon = entry.find(": ");
    if (colon == std::string::npos) return entries;
    const std::string value = entry.substr(colon);
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const auto& line) { return line.first == value; });
    if (same == lines.end()) {
      lines.emplace_back(value, entry.substr(0, colon));
    } else {
      same->second += ", " + entry.substr(0, colon);
    }
  }
  std::vector<std::string> joined;
  joined.reserve(lines.size());
  for (const auto& [value, names] : lines) joined.push_back(names + value);
  return joined;
}

/// What was told beside the verdict, as lists.
std::string ShowNotes(const Terminal& terminal, const Report& report) {
  std::map<std::string, std::vector<std::string>> lists;
  for (const RuleResult& result : report.results) {
    for (const auto& [name, entry] : result.notes) lists[name].push_back(entry);
  }
  std::string text;
  for (const auto& [name, entries] : lists) {
    text += "\n  " + Paint(terminal, Colour::kHeading, name) + '\n';
    for (const std::string& entry : JoinEqual(entries)) {
      text += WrapBehindLabel(terminal, 4, "", entry);
    }
  }
  return text;
}

std::string ShowCode(const Report& report) {
  std::string text;
  for (const RuleResult& result : report.results) {
    if (!result.code.empty()) text += "\n// " + GetRuleId(*result.rule) + '\n' + result.code;
  }
  return text;
}

}  // namespace

std::string ShowText(const Report& report, const Terminal& terminal) {
  std::string text = EscapeForDisplay(DescribeBackend(report.candidate)) + '\n';
  const char* family = "";
  for (const RuleResult& result : report.results) {
    const char* const name = GetFamilyName(result.rule->family);
    if (name != family) text += "\n  " + Paint(terminal, Colour::kHeading, name) + '\n';
    family = name;
    text += ShowRule(terminal, report, result);
  }
  text += ShowNotes(terminal, report);
  if (!report.speed.empty()) text += '\n';
  for (const std::string& line : report.speed) text += line + '\n';
  return text + ShowCode(report) + '\n' + Count(report);
}

}  // namespace backplane::check_backend
