#include <backplane/host/diagnostic.hpp>

#include <cstdio>
#include <utility>

namespace backplane {
namespace {

struct Row {
  DiagnosticCode code;
  const char* name;
  const char* title;
};

constexpr Row kRows[] = {
#define BACKPLANE_DIAGNOSTIC(number, name, symbolic_name, title, cause, cure) \
  {DiagnosticCode::k##name, symbolic_name, title},
#include <backplane/host/diagnostics.def>
#undef BACKPLANE_DIAGNOSTIC
};

const Row& FindRow(DiagnosticCode code) {
  for (const Row& row : kRows) {
    if (row.code == code) return row;
  }
  static constexpr Row kUnknown{DiagnosticCode{}, "unknown", "unknown diagnostic"};
  return kUnknown;
}

void AppendSentence(std::string& text, const std::string& sentence) {
  if (sentence.empty()) return;
  text += "; ";
  text += EscapeForDisplay(sentence);
}

void AppendText(std::string& text, const Diagnostic& diagnostic, std::size_t indent) {
  text.append(indent, ' ');
  text += GetSeverityName(diagnostic.severity);
  text += ' ' + GetDiagnosticId(diagnostic.code) + ": " + EscapeForDisplay(diagnostic.what);
  AppendSentence(text, diagnostic.why);
  AppendSentence(text, diagnostic.fix);
  for (const Diagnostic& cause : diagnostic.causes) {
    text += '\n';
    AppendText(text, cause, indent + 2);
  }
}

}  // namespace

std::string GetDiagnosticId(DiagnosticCode code) {
  return "BP" + std::to_string(static_cast<unsigned>(code));
}

const char* GetDiagnosticName(DiagnosticCode code) {
  return FindRow(code).name;
}

const char* GetDiagnosticTitle(DiagnosticCode code) {
  return FindRow(code).title;
}

const char* GetSeverityName(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

const char* GetSubjectKindName(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::kNone:
      return "";
    case SubjectKind::kFile:
      return "file";
    case SubjectKind::kDirectory:
      return "directory";
    case SubjectKind::kBackend:
      return "backend";
    case SubjectKind::kLayer:
      return "layer";
    case SubjectKind::kTensor:
      return "tensor";
    case SubjectKind::kNetwork:
      return "network";
    case SubjectKind::kModel:
      return "model";
    case SubjectKind::kOption:
      return "option";
  }
  return "";
}

std::string ToText(const Diagnostic& diagnostic) {
  std::string text;
  AppendText(text, diagnostic, 0);
  return text;
}

DiagnosticException::DiagnosticException(Diagnostic diagnostic)
    : diagnostic_(std::move(diagnostic)), text_(ToText(diagnostic_)) {}

DiagnosticException::~DiagnosticException() = default;

const char* DiagnosticException::what() const noexcept {
  return text_.c_str();
}

}  // namespace backplane
