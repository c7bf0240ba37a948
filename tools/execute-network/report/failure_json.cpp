#include "report/failure_json.hpp"

#include <nlohmann/json.hpp>

namespace backplane::execute_network {
namespace {

using Json = nlohmann::ordered_json;

Json MakeDiagnostic(const Diagnostic& diagnostic) {
  Json causes = Json::array();
  for (const Diagnostic& cause : diagnostic.causes) causes.push_back(MakeDiagnostic(cause));
  return {{"code", GetDiagnosticId(diagnostic.code)},
          {"name", GetDiagnosticName(diagnostic.code)},
          {"severity", GetSeverityName(diagnostic.severity)},
          {"what", EscapeForDisplay(diagnostic.what)},
          {"why", EscapeForDisplay(diagnostic.why)},
          {"fix", EscapeForDisplay(diagnostic.fix)},
          {"help", GetDiagnosticHelp(diagnostic.code)},
          {"causes", std::move(causes)}};
}

}  // namespace

std::string MakeFailureJson(const std::string& model, const Diagnostic& failure) {
  const Json json = {{"schema", 1},
                     {"model", EscapeForDisplay(model)},
                     {"diagnostics", Json::array({MakeDiagnostic(failure)})}};
  constexpr int kIndent = 1;
  return json.dump(kIndent) + "\n";
}

}  // namespace backplane::execute_network
