#include "options_backend.hpp"

#include <backplane/host/options.hpp>

#include <gmock/gmock.h>

namespace backplane {
namespace {

using ::testing::HasSubstr;

Diagnostic Refuse(const std::vector<BackendOption>& options) {
  return CatchMistake([&] {
    CheckOptions("A", MakeSchemas(), {{"A", options}}, OptionPlace::kAny);
  });
}

void ExpectRefusal(const BackendOption& option, const std::string& found,
                   const std::string& expected) {
  const Diagnostic diagnostic = Refuse({option});
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kInvalidOption);
  EXPECT_EQ(diagnostic.subject.name, "A:" + option.name);
  EXPECT_THAT(diagnostic.why, HasSubstr("found " + found));
  EXPECT_THAT(diagnostic.why, HasSubstr("expected " + expected));
  EXPECT_TRUE(IsMistakeInOptions(diagnostic));
}

TEST(OptionCheck, CollectsTheOptionsOfOneBackend) {
  const BackendOptions options = CheckOptions(
      "A", MakeSchemas(),
      {{"A", {{"NumberOfThreads", 4}}}, {"B", {{"Unknown", 1}}}, {"A", {{"Share", 1}}}},
      OptionPlace::kAny);
  EXPECT_EQ(options.backend_id, "A");
  ASSERT_EQ(options.options.size(), 2U);
  EXPECT_EQ(options.options[0].value, OptionValue(4));
  // An integer stands for the float.
  EXPECT_EQ(options.options[1].value, OptionValue(1.0));
}

TEST(OptionCheck, NamesTheNearestOption) {
  const Diagnostic diagnostic = Refuse({{"NumberOfThread", 4}});
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kUnknownOption);
  EXPECT_EQ(diagnostic.subject.name, "A:NumberOfThread");
  EXPECT_THAT(diagnostic.why, HasSubstr("its options are NumberOfThreads, Share, Mode"));
  EXPECT_THAT(diagnostic.fix, HasSubstr("\"NumberOfThreads\""));
  EXPECT_TRUE(IsMistakeInOptions(diagnostic));
}

TEST(OptionCheck, SaysThatThereAreNoOptions) {
  const Diagnostic diagnostic = CatchMistake([&] {
    CheckOptions("A", {}, {{"A", {{"X", true}}}}, OptionPlace::kAny);
  });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kUnknownOption);
  EXPECT_THAT(diagnostic.why, HasSubstr("has no options"));
}

TEST(OptionCheck, RejectsValuesOfAnotherType) {
  ExpectRefusal({"NumberOfThreads", "four"}, "the string \"four\"", "an int from 1 to 64");
  ExpectRefusal({"NumberOfThreads", 4.0}, "the float 4", "an int from 1 to 64");
  ExpectRefusal({"NumberOfThreads", true}, "the bool true", "an int from 1 to 64");
  ExpectRefusal({"Share", "half"}, "the string \"half\"", "a float from 0 to 1");
  ExpectRefusal({"Share", false}, "the bool false", "a float from 0 to 1");
  ExpectRefusal({"Verbose", 1}, "the int 1", "a bool");
  ExpectRefusal({"Verbose", "true"}, "the string \"true\"", "a bool");
  ExpectRefusal({"Mode", 3}, "the int 3", "a string, one of \"fast\", \"exact\"");
}

TEST(OptionCheck, RejectsValuesOutside) {
  ExpectRefusal({"NumberOfThreads", 65}, "the int 65", "an int from 1 to 64");
  ExpectRefusal({"NumberOfThreads", 0}, "the int 0", "an int from 1 to 64");
  ExpectRefusal({"Share", 1.5}, "the float 1.5", "a float from 0 to 1");
  ExpectRefusal({"Share", 2}, "the float 2", "a float from 0 to 1");
  ExpectRefusal({"Share", std::numeric_limits<double>::quiet_NaN()}, "the float nan",
                "a float from 0 to 1");
  ExpectRefusal({"Mode", "slow"}, "the string \"slow\"", "a string, one of \"fast\", \"exact\"");
  EXPECT_NO_THROW(CheckOptions("A", MakeSchemas(), {{"A", {{"Seed", -7}}}}, OptionPlace::kAny))
      << "has no range";
}

TEST(OptionCheck, RejectsWhatIsGivenInTheWrongPlace) {
  std::vector<OptionSchema> schemas = MakeSchemas();
  const std::vector<BackendOptions> given = {{"A", {{schemas[0].name, 4}}}};
  const auto check = [&](std::uint32_t declared, OptionPlace place) {
    schemas[0].places = declared;
    return CatchMistake([&] { CheckOptions("A", schemas, given, place); });
  };
  const Diagnostic of_network = check(BP_OPTION_OF_CONTEXT, OptionPlace::kNetwork);
  EXPECT_EQ(of_network.code, DiagnosticCode::kInvalidOption);
  EXPECT_THAT(of_network.why, HasSubstr("among the options of a network"));
  EXPECT_THAT(of_network.fix, HasSubstr("CreationOptions::backend_options"));
  const Diagnostic of_runtime = check(BP_OPTION_OF_NETWORK, OptionPlace::kRuntime);
  EXPECT_THAT(of_runtime.why, HasSubstr("among the options of the runtime"));
  EXPECT_THAT(of_runtime.fix, HasSubstr("OptimizerOptions::model_options"));
  for (const std::uint32_t declared : {0, BP_OPTION_OF_CONTEXT | BP_OPTION_OF_NETWORK}) {
    schemas[0].places = declared;
    EXPECT_NO_THROW(CheckOptions("A", schemas, given, OptionPlace::kNetwork));
    EXPECT_NO_THROW(CheckOptions("A", schemas, given, OptionPlace::kRuntime));
  }
  schemas[0].places = BP_OPTION_OF_CONTEXT;
  EXPECT_NO_THROW(CheckOptions("A", schemas, given, OptionPlace::kAny));
}

TEST(OptionCheck, RejectsASecondValue) {
  const Diagnostic diagnostic = Refuse({{"Seed", 1}, {"Seed", 2}});
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kInvalidOption);
  EXPECT_EQ(diagnostic.subject.name, "A:Seed");
  EXPECT_THAT(diagnostic.why, HasSubstr("found a second value, 2; expected one"));
}

TEST(OptionCheck, ReportsAllMistakesTogether) {
  const Diagnostic diagnostic = Refuse({{"Mod", "fast"}, {"Share", 2.0}});
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kUnknownOption);
  EXPECT_EQ(diagnostic.subject.name, "A");
  ASSERT_EQ(diagnostic.causes.size(), 2U);
  EXPECT_EQ(diagnostic.causes[1].code, DiagnosticCode::kInvalidOption);
}

TEST(OptionCheck, KnowsBackendsThatCannotBeUsedToo) {
  BackendRegistry registry;
  RegisterOptionsBackend(registry);
  registry.RememberUnusable("Broken", Diagnostic{DiagnosticCode::kBackendUnavailable});
  EXPECT_NO_THROW(RequireKnownBackend(registry, "A"));
  EXPECT_NO_THROW(RequireKnownBackend(registry, "Broken"));
  const Diagnostic diagnostic = CatchMistake([&] { RequireKnownBackend(registry, "Brocken"); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kBackendNotRegistered);
  EXPECT_EQ(diagnostic.subject.name, "Brocken");
  EXPECT_THAT(diagnostic.why, HasSubstr("registered are A"));
  EXPECT_THAT(diagnostic.fix, HasSubstr("\"Broken\""));
}

}  // namespace
}  // namespace backplane
