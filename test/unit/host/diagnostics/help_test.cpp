/// Where diagnostics are described.

#include <backplane/host/diagnostic.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace backplane {
namespace {

using ::testing::HasSubstr;

TEST(DiagnosticHelp, NamesTheSectionOfACode) {
  EXPECT_EQ(GetDiagnosticHelp(DiagnosticCode::kMissingEntryPoint),
            "DIAGNOSTICS.md#bp3004-missing-entry-point");
}

TEST(DiagnosticHelp, LeadsToASectionForEveryCode) {
  std::ifstream file(BACKPLANE_DIAGNOSTICS_PAGE);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const DiagnosticCode code : {
#define BACKPLANE_DIAGNOSTIC(number, name, ...) DiagnosticCode::k##name,
#include <backplane/host/diagnostics.def>
#undef BACKPLANE_DIAGNOSTIC
       }) {
    // The anchor of a heading is its text in small letters, with hyphens for spaces.
    const std::string heading = GetDiagnosticId(code) + ' ' + GetDiagnosticName(code);
    EXPECT_THAT(page, HasSubstr("\n### " + heading + '\n'));
    std::string anchor = "#bp" + heading.substr(2);
    anchor.replace(anchor.find(' '), 1, "-");
    EXPECT_THAT(page, HasSubstr('(' + anchor + ')'));
    EXPECT_EQ(GetDiagnosticHelp(code), "DIAGNOSTICS.md" + anchor);
  }
}

}  // namespace
}  // namespace backplane
