#pragma once

/// The one type in which Backplane says what is wrong, why, and what to do.

#include <backplane/host/export.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace backplane {

/// Every diagnostic, from the table diagnostics.def.
enum class DiagnosticCode : std::uint16_t {
#define BACKPLANE_DIAGNOSTIC(number, name, ...) k##name = number,
#include <backplane/host/diagnostics.def>
#undef BACKPLANE_DIAGNOSTIC
};

/// "BP3004". [any thread]
BACKPLANE_HOST_API std::string GetDiagnosticId(DiagnosticCode code);
/// "missing-entry-point". Static storage. [any thread]
BACKPLANE_HOST_API const char* GetDiagnosticName(DiagnosticCode code);
/// "an entry point is missing". Static storage. [any thread]
BACKPLANE_HOST_API const char* GetDiagnosticTitle(DiagnosticCode code);
/// "DIAGNOSTICS.md#bp3004-missing-entry-point": where cause and cure are described. [any thread]
BACKPLANE_HOST_API std::string GetDiagnosticHelp(DiagnosticCode code);
/// The file that describes every diagnostic: its path as it is installed with this library, or
/// "DIAGNOSTICS.md" when it is not there. [any thread]
BACKPLANE_HOST_API std::string GetDiagnosticsPage();

enum class Severity {
  kNote,     // unhygienic, but nothing is lost
  kWarning,  // something was left out
  kError,    // what was asked for cannot be had
};

/// "note", "warning" or "error". Static storage. [any thread]
BACKPLANE_HOST_API const char* GetSeverityName(Severity severity);

enum class SubjectKind {
  kNone,
  kFile,
  kDirectory,
  kBackend,
  kLayer,
  kTensor,
  kNetwork,
  kModel,
  kOption,
};

/// "file", "layer", ...; "" for kNone. Static storage. [any thread]
BACKPLANE_HOST_API const char* GetSubjectKindName(SubjectKind kind);

/// What a diagnostic is about.
struct Subject {
  SubjectKind kind = SubjectKind::kNone;
  std::string name;
};

struct Diagnostic {
  DiagnosticCode code;
  Severity severity = Severity::kError;
  Subject subject{};
  std::string what{};                // one sentence
  std::string why{};                 // found and expected, both in full; may be empty
  std::string fix{};                 // an action
  std::vector<Diagnostic> causes{};  // what led to this, for example one for each refusal
};

/// "error BP3004: what; why; fix", and the causes indented below, each on its own line.
/// Bytes that are not printable are escaped. No trailing newline.
/// [any thread]
BACKPLANE_HOST_API std::string ToText(const Diagnostic& diagnostic);

/// Escapes control characters and bytes that are not UTF-8 as \xNN, so that names from files can be
/// printed.
/// [any thread]
BACKPLANE_HOST_API std::string EscapeForDisplay(std::string_view text);

/// The candidate most like `name`, or "" when none is near enough to be what was meant.
/// Upper and lower case count as nearly the same.
/// [any thread]
BACKPLANE_HOST_API std::string FindNearestName(std::string_view name,
                                               const std::vector<std::string>& candidates);

/// Thrown by operations that have one outcome.
class BACKPLANE_HOST_API DiagnosticException : public std::exception {
 public:
  explicit DiagnosticException(Diagnostic diagnostic);
  ~DiagnosticException() override;

  /// The text that ToText gives.
  const char* what() const noexcept override;
  /// [any thread]
  const Diagnostic& GetDiagnostic() const noexcept { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
  std::string text_;
};

}  // namespace backplane
