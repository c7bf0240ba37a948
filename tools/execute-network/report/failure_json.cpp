#include "report/failure_json.hpp"

#include "report/diagnostic_json.hpp"

namespace backplane::execute_network {

std::string MakeFailureJson(const std::string& model, const std::vector<Diagnostic>& diagnostics) {
  const nlohmann::ordered_json json = {
      {"schema", 1}, {"model", EscapeForDisplay(model)}, {"diagnostics", MakeJson(diagnostics)}};
  constexpr int kIndent = 1;
  return json.dump(kIndent) + "\n";
}

}  // namespace backplane::execute_network
