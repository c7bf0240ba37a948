#include "configuration/configuration_diagnostics.hpp"

#include <utility>

namespace backplane::configuration {

Diagnostic Warn(DiagnosticCode code, Subject subject, std::string what, std::string why,
                std::string fix) {
  return {
      code, Severity::kWarning, std::move(subject), std::move(what), std::move(why), std::move(fix),
      {}};
}

}  // namespace backplane::configuration
