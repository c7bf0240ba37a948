#pragma once

#include <backplane/host/diagnostic.hpp>

#include <gtest/gtest.h>

#include <string>

namespace backplane {

/// The diagnostic that `action` throws; fails the test when it throws none.
template <typename Action>
Diagnostic CatchDiagnostic(const Action& action) {
  try {
    action();
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic();
  }
  ADD_FAILURE() << "no DiagnosticException was thrown";
  return Diagnostic{DiagnosticCode{}};
}

inline void ExpectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

/// A complete refusal: the code, who it is about, and both values in `why`.
inline void ExpectDiagnostic(const Diagnostic& diagnostic, DiagnosticCode code,
                             const std::string& subject, const std::string& found,
                             const std::string& expected) {
  EXPECT_EQ(GetDiagnosticId(diagnostic.code), GetDiagnosticId(code)) << ToText(diagnostic);
  EXPECT_EQ(diagnostic.subject.name, subject);
  ExpectContains(diagnostic.why, found);
  ExpectContains(diagnostic.why, expected);
  EXPECT_FALSE(diagnostic.what.empty());
  EXPECT_FALSE(diagnostic.fix.empty());
}

}  // namespace backplane
