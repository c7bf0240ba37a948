#include "report/report.hpp"

#include <backplane/host/diagnostic.hpp>

#include <nlohmann/json.hpp>

namespace backplane::check_backend {
namespace {

using nlohmann::json;

const char* GetOutcomeName(const RuleResult& result) {
  switch (GetOutcome(result)) {
    case Outcome::kKept:
      return "kept";
    case Outcome::kSkipped:
      return "not applied";
    case Outcome::kBroken:
      break;
  }
  return result.rule->kind == RuleKind::kMust ? "broken" : "advice";
}

json ToJson(const Report& report, const RuleResult& result) {
  json findings = json::array();
  for (const Finding& finding : result.findings) {
    findings.push_back({{"case", finding.case_index},
                        {"done", finding.done},
                        {"seen", finding.seen},
                        {"expected", finding.expected},
                        {"repeat", WriteRepetition(report, result, &finding)}});
  }
  json row = {{"rule", GetRuleId(*result.rule)},
              {"name", result.rule->name},
              {"family", GetFamilyName(result.rule->family)},
              {"kind", result.rule->kind == RuleKind::kMust ? "must" : "should"},
              {"title", result.rule->title},
              {"outcome", GetOutcomeName(result)},
              {"num_cases", result.num_cases},
              {"num_findings", result.num_findings},
              {"findings", findings},
              {"milliseconds", result.duration.count()}};
  if (!result.skipped.empty()) row["reason"] = result.skipped;
  if (!result.code.empty()) row["code"] = result.code;
  json notes = json::array();
  for (const auto& [list, entry] : result.notes) {
    notes.push_back({{"list", list}, {"entry", entry}});
  }
  if (!notes.empty()) row["notes"] = notes;
  return row;
}

std::string EscapeXml(const std::string& text) {
  std::string escaped;
  for (const char c : EscapeForDisplay(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string ToSeconds(std::chrono::milliseconds duration) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f", static_cast<double>(duration.count()) / 1000);
  return text;
}

std::string ToXml(const Report& report, const RuleResult& result) {
  const std::string id = GetRuleId(*result.rule);
  std::string text = "  <testcase classname=\"check-backend." +
                     std::string(GetFamilyName(result.rule->family)) + "\" name=\"" + id + " " +
                     EscapeXml(result.rule->title) + "\" time=\"" + ToSeconds(result.duration) +
                     "\"";
  const Outcome outcome = GetOutcome(result);
  if (outcome == Outcome::kKept) return text + "/>\n";
  text += ">\n";
  if (outcome == Outcome::kSkipped) {
    text += "    <skipped message=\"" + EscapeXml(result.skipped) + "\"/>\n";
  } else if (result.rule->kind == RuleKind::kShould) {
    // JUnit has no word for advice.
    for (const Finding& finding : result.findings) {
      text += "    <system-out>" + EscapeXml(finding.seen) + "</system-out>\n";
    }
  } else {
    for (const Finding& finding : result.findings) {
      text += "    <failure message=\"" + EscapeXml(finding.seen) + "\">" +
              EscapeXml("did: " + finding.done + "; expected: " + finding.expected +
                        "; repeat: " + WriteRepetition(report, result, &finding)) +
              "</failure>\n";
    }
  }
  return text + "  </testcase>\n";
}

}  // namespace

std::string ShowJson(const Report& report) {
  json rules = json::array();
  for (const RuleResult& result : report.results) rules.push_back(ToJson(report, result));
  json document = {{"schema", 1},
                   {"file", EscapeForDisplay(report.candidate.path)},
                   {"verdict", GetVerdictName(GetVerdict(report))},
                   {"seed", report.seed},
                   {"quick", report.is_quick},
                   {"milliseconds", report.duration.count()},
                   {"rules", rules}};
  if (report.candidate.identity) {
    const BackendIdentity& identity = *report.candidate.identity;
    document["backend"] = {{"id", identity.id},
                           {"api_version", std::to_string(identity.api_version.major) + "." +
                                               std::to_string(identity.api_version.minor)},
                           {"vendor", identity.vendor},
                           {"version", identity.version}};
  }
  if (!report.speed.empty()) document["speed"] = report.speed;
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

std::string ShowJunit(const Report& report) {
  std::size_t failures = 0;
  std::size_t skipped = 0;
  std::string cases;
  for (const RuleResult& result : report.results) {
    const Outcome outcome = GetOutcome(result);
    if (outcome == Outcome::kSkipped) ++skipped;
    if (outcome == Outcome::kBroken && result.rule->kind == RuleKind::kMust) ++failures;
    cases += ToXml(report, result);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"check-backend " +
         EscapeXml(report.candidate.path) + "\" tests=\"" + std::to_string(report.results.size()) +
         "\" failures=\"" + std::to_string(failures) + "\" skipped=\"" + std::to_string(skipped) +
         "\" time=\"" + ToSeconds(report.duration) + "\">\n" + cases + "</testsuite>\n";
}

}  // namespace backplane::check_backend
