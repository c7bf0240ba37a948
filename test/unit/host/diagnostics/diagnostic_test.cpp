#include <backplane/host/diagnostic.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace backplane {
namespace {

Diagnostic MakeExample() {
  Diagnostic diagnostic{DiagnosticCode::kMissingEntryPoint};
  diagnostic.subject = {SubjectKind::kFile, "a.so"};
  diagnostic.what = "a.so has no GetVersion";
  diagnostic.why = "found one of three";
  diagnostic.fix = "add it";
  return diagnostic;
}

TEST(Diagnostic, HasIdNameAndTitleFromTheTable) {
  EXPECT_EQ(GetDiagnosticId(DiagnosticCode::kMissingEntryPoint), "BP3004");
  EXPECT_STREQ(GetDiagnosticName(DiagnosticCode::kMissingEntryPoint), "missing-entry-point");
  EXPECT_STREQ(GetDiagnosticTitle(DiagnosticCode::kMissingEntryPoint), "an entry point is missing");
}

TEST(Diagnostic, TableUsesNoNumberOrNameTwice) {
  std::set<unsigned> numbers;
  std::set<std::string> names;
#define BACKPLANE_DIAGNOSTIC(number, name, symbolic_name, title, cause, cure) \
  EXPECT_TRUE(numbers.insert(number).second) << #number;                      \
  EXPECT_TRUE(names.insert(symbolic_name).second) << symbolic_name;
#include <backplane/host/diagnostics.def>
#undef BACKPLANE_DIAGNOSTIC
  EXPECT_GT(numbers.size(), 50U);
}

TEST(Diagnostic, TextHasSeverityIdAndAllSentences) {
  EXPECT_EQ(ToText(MakeExample()),
            "error BP3004: a.so has no GetVersion; found one of three; add it");
}

TEST(Diagnostic, TextIndentsCausesOnLinesOfTheirOwn) {
  Diagnostic outer{DiagnosticCode::kNoBackends};
  outer.what = "nothing to run on";
  outer.causes.push_back(MakeExample());
  outer.causes.front().severity = Severity::kWarning;
  EXPECT_EQ(ToText(outer),
            "error BP7001: nothing to run on\n"
            "  warning BP3004: a.so has no GetVersion; found one of three; add it");
}

TEST(Diagnostic, TextEscapesWhatCannotBePrinted) {
  Diagnostic diagnostic{DiagnosticCode::kNotElf, Severity::kNote};
  diagnostic.what = "bad\x1b[2Jname\n";
  EXPECT_EQ(ToText(diagnostic), "note BP2002: bad\\x1b[2Jname\\x0a");
}

TEST(DiagnosticException, CarriesDiagnosticAndItsText) {
  const DiagnosticException exception(MakeExample());
  EXPECT_STREQ(exception.what(), ToText(MakeExample()).c_str());
  EXPECT_EQ(exception.GetDiagnostic().subject.name, "a.so");
}

}  // namespace
}  // namespace backplane
