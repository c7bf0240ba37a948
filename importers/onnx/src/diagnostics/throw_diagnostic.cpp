#include "diagnostics/throw_diagnostic.hpp"

#include <utility>

namespace backplane::onnx {

Diagnostic MakeError(DiagnosticCode code, Subject subject, std::string what, std::string why,
                     std::string fix, std::vector<Diagnostic> causes) {
  return {code,           Severity::kError, std::move(subject), std::move(what),
          std::move(why), std::move(fix),   std::move(causes)};
}

void ThrowError(DiagnosticCode code, Subject subject, std::string what, std::string why,
                std::string fix, std::vector<Diagnostic> causes) {
  throw DiagnosticException(MakeError(code, std::move(subject), std::move(what), std::move(why),
                                      std::move(fix), std::move(causes)));
}

Diagnostic MakeVerbatimCause(DiagnosticCode code, Subject subject, std::string text) {
  return MakeError(code, std::move(subject), std::move(text), "", "");
}

std::string SuggestNearest(const std::string& name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kMaxLength = 128;  // longer ones are no slips, and take long to compare
  if (name.size() > kMaxLength) return "";
  const std::string nearest = FindNearestName(name, candidates);
  return nearest.empty() ? "" : "did you mean " + nearest + "? ";
}

std::string Count(std::size_t count, const std::string& singular) {
  return std::to_string(count) + " " + singular + (count == 1 ? "" : "s");
}

}  // namespace backplane::onnx
