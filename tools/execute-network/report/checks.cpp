#include "report/checks.hpp"

#include "report/diagnostic_json.hpp"

namespace backplane::execute_network {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> GetNames(CheckFlags checks) {
  std::vector<std::string> names;
  for (const RunCheck check : GetAllChecks()) {
    if ((checks & ToFlags(check)) != 0) names.emplace_back(GetCheckName(check));
  }
  return names;
}

std::string JoinChecks(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string Count(std::uint64_t count, const std::string& one) {
  return std::to_string(count) + ' ' + one + (count == 1 ? "" : "s");
}

void AddLines(const CheckReport& report, std::vector<std::string>& lines) {
  lines.push_back(
      JoinChecks(GetNames(report.checks)) + ", in " + Count(report.num_runs, "run") + ": " +
      (report.findings.empty() ? "nothing was found" : Count(report.findings.size(), "finding")));
  for (const CheckFinding& finding : report.findings) {
    const Diagnostic& diagnostic = finding.diagnostic;
    lines.push_back(std::string(GetSeverityName(diagnostic.severity)) + ' ' +
                    GetDiagnosticId(diagnostic.code) + ", in " + Count(finding.num_runs, "run") +
                    ": " + EscapeForDisplay(diagnostic.what));
    lines.push_back("  " + EscapeForDisplay(diagnostic.why));
  }
  if (report.unchecked.empty()) return;
  lines.push_back(
      Count(report.unchecked.size(), "tensor") +
      " could not be looked at, the first: " + EscapeForDisplay(report.unchecked.front().why));
}

Json MakeFinding(const CheckFinding& finding) {
  Json json = {{"check", GetCheckName(finding.check)},
               {"layer", nullptr},
               {"type", nullptr},
               {"backend", nullptr},
               {"runs", finding.num_runs},
               {"diagnostic", MakeJson({finding.diagnostic}).front()}};
  if (!finding.layer.empty()) {
    json["layer"] = EscapeForDisplay(finding.layer);
    json["type"] = GetLayerTypeName(finding.type);
  }
  if (!finding.backend_id.empty()) json["backend"] = EscapeForDisplay(finding.backend_id);
  return json;
}

}  // namespace

std::vector<std::string> DescribeChecks(const std::vector<CheckReport>& reports) {
  std::vector<std::string> lines;
  for (const CheckReport& report : reports) AddLines(report, lines);
  return lines;
}

Json MakeChecksJson(const std::vector<CheckReport>& reports) {
  if (reports.empty()) return nullptr;
  Json list = Json::array();
  for (const CheckReport& report : reports) {
    Json findings = Json::array();
    for (const CheckFinding& finding : report.findings) findings.push_back(MakeFinding(finding));
    list.push_back({{"checks", GetNames(report.checks)},
                    {"runs", report.num_runs},
                    {"findings", std::move(findings)},
                    {"unchecked", MakeJson(report.unchecked)}});
  }
  return list;
}

}  // namespace backplane::execute_network
