#include "command_line/diagnostic_view.hpp"

namespace backplane::command_line {
namespace {

constexpr std::size_t kIndentStep = 2;

Colour GetColour(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return Colour::kNone;
    case Severity::kWarning:
      return Colour::kDoubtful;
    case Severity::kError:
      return Colour::kBad;
  }
  return Colour::kNone;
}

}  // namespace

std::string ShowDiagnosticLine(const Terminal& terminal, std::size_t indent,
                               const Diagnostic& diagnostic) {
  const std::string severity = GetSeverityName(diagnostic.severity);
  const std::string label = severity + ' ' + GetDiagnosticId(diagnostic.code) + ": ";
  std::string line = WrapBehindLabel(terminal, indent, label, diagnostic.what);
  line.replace(indent, severity.size(), Paint(terminal, GetColour(diagnostic.severity), severity));
  return line;
}

std::string ShowDiagnostic(const Terminal& terminal, std::size_t indent,
                           const Diagnostic& diagnostic) {
  std::string text = ShowDiagnosticLine(terminal, indent, diagnostic);
  const std::size_t inner = indent + kIndentStep;
  if (!diagnostic.why.empty()) text += WrapBehindLabel(terminal, inner, "why: ", diagnostic.why);
  if (!diagnostic.fix.empty()) text += WrapBehindLabel(terminal, inner, "fix: ", diagnostic.fix);
  for (const Diagnostic& cause : diagnostic.causes) text += ShowDiagnostic(terminal, inner, cause);
  return text;
}

std::string ShowDiagnosticsPage(ShownDiagnostics shown) {
  if (shown == ShownDiagnostics::kNone) return "";
  return "More on each code: " + EscapeForDisplay(GetDiagnosticsPage()) + '\n';
}

}  // namespace backplane::command_line
