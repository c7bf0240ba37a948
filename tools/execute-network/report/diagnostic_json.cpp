#include "report/diagnostic_json.hpp"

namespace backplane::execute_network {

nlohmann::ordered_json MakeJson(const std::vector<Diagnostic>& diagnostics) {
  auto list = nlohmann::ordered_json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    list.push_back({{"code", GetDiagnosticId(diagnostic.code)},
                    {"name", GetDiagnosticName(diagnostic.code)},
                    {"severity", GetSeverityName(diagnostic.severity)},
                    {"what", EscapeForDisplay(diagnostic.what)},
                    {"why", EscapeForDisplay(diagnostic.why)},
                    {"fix", EscapeForDisplay(diagnostic.fix)},
                    {"help", GetDiagnosticHelp(diagnostic.code)},
                    {"causes", MakeJson(diagnostic.causes)}});
  }
  return list;
}

}  // namespace backplane::execute_network
