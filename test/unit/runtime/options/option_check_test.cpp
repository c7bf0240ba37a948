#include "options/option_check.hpp"

#include "expect_diagnostic.hpp"
#include "test_backend.hpp"

#include <limits>

namespace backplane {
namespace {

std::vector<OptionSchema> MakeSchemas() {
  OptionSchema threads;
  threads.name = "NumberOfThreads";
  threads.type = OptionType::kInt;
  threads.has_range = true;
  threads.minimum = 1;
  threads.maximum = 64;
  OptionSchema share;
  share.name = "Share";
  share.type = OptionType::kFloat;
  share.has_range = true;
  share.minimum = 0.0;
  share.maximum = 1.0;
  OptionSchema mode;
  mode.name = "Mode";
  mode.type = OptionType::kString;
  mode.allowed_strings = {"fast", "exact"};
  return {threads, share, mode};
}

Diagnostic Refuse(const std::vector<BackendOption>& options) {
  return CatchDiagnostic([&] { CheckOptions("A", MakeSchemas(), {{"A", options}}); });
}

TEST(OptionCheck, CollectsTheOptionsOfOneBackend) {
  const BackendOptions options = CheckOptions(
      "A", MakeSchemas(),
      {{"A", {{"NumberOfThreads", 4}}}, {"B", {{"Unknown", 1}}}, {"A", {{"Share", 1}}}});
  EXPECT_EQ(options.backend_id, "A");
  ASSERT_EQ(options.options.size(), 2U);
  EXPECT_EQ(options.options[0].value, OptionValue(4));
  // An integer stands for the float.
  EXPECT_EQ(options.options[1].value, OptionValue(1.0));
}

TEST(OptionCheck, NamesTheNearestOption) {
  const Diagnostic diagnostic = Refuse({{"NumberOfThread", 4}});
  ExpectDiagnostic(diagnostic, DiagnosticCode::kUnknownOption, "A:NumberOfThread",
                   "its options are NumberOfThreads, Share, Mode", "");
  ExpectContains(diagnostic.fix, "\"NumberOfThreads\"");
}

TEST(OptionCheck, SaysThatThereAreNoOptions) {
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    CheckOptions("A", {}, {{"A", {{"X", true}}}});
  });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kUnknownOption, "A:X", "has no options", "");
}

TEST(OptionCheck, RejectsValuesOutside) {
  ExpectDiagnostic(Refuse({{"NumberOfThreads", "four"}}), DiagnosticCode::kInvalidOption,
                   "A:NumberOfThreads", "the string \"four\"", "a int from 1 to 64");
  ExpectDiagnostic(Refuse({{"NumberOfThreads", 65}}), DiagnosticCode::kInvalidOption,
                   "A:NumberOfThreads", "the int 65", "from 1 to 64");
  ExpectDiagnostic(Refuse({{"Share", std::numeric_limits<double>::quiet_NaN()}}),
                   DiagnosticCode::kInvalidOption, "A:Share", "the float nan",
                   "from 0.000000 to 1.000000");
  ExpectDiagnostic(Refuse({{"Mode", "slow"}}), DiagnosticCode::kInvalidOption, "A:Mode",
                   "the string \"slow\"", "one of \"fast\", \"exact\"");
}

TEST(OptionCheck, ReportsAllMistakesTogether) {
  const Diagnostic diagnostic = Refuse({{"Mod", "fast"}, {"Share", 2.0}});
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kUnknownOption);
  EXPECT_EQ(diagnostic.subject.name, "A");
  ASSERT_EQ(diagnostic.causes.size(), 2U);
  EXPECT_EQ(diagnostic.causes[1].code, DiagnosticCode::kInvalidOption);
}

TEST(OptionCheck, RejectsOptionsForBackendsThatDoNotExist) {
  const auto registry = MakeRegistry({std::make_shared<TestBackend>("CpuTest")});
  registry->RememberUnusable("Broken", Diagnostic{DiagnosticCode::kBackendUnavailable});
  EXPECT_NO_THROW(CheckOptionTargets(*registry, {{"CpuTest", {}}, {"Broken", {}}}));
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    CheckOptionTargets(*registry, {{"CpuTset", {}}});
  });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kBackendNotRegistered, "CpuTset",
                   "registered are CpuTest", "");
  ExpectContains(diagnostic.fix, "CpuTest");
}

}  // namespace
}  // namespace backplane
