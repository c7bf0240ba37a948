#include "options_backend.hpp"

#include <backplane/host/options.hpp>

#include <gmock/gmock.h>

namespace backplane {
namespace {

using ::testing::HasSubstr;

class ParseOptionTest : public testing::Test {
 protected:
  ParseOptionTest() { RegisterOptionsBackend(registry_); }

  OptionValue Parse(const std::string& text) const {
    const BackendOptions options = ParseOption(registry_, text);
    EXPECT_EQ(options.backend_id, "A");
    EXPECT_EQ(options.options.size(), 1U);
    return options.options.at(0).value;
  }

  void ExpectRefusal(const std::string& name, const std::string& value,
                     const std::string& expected) const {
    const Diagnostic diagnostic =
        CatchMistake([&] { ParseOption(registry_, "A:" + name + "=" + value); });
    EXPECT_EQ(diagnostic.code, DiagnosticCode::kInvalidOption);
    EXPECT_EQ(diagnostic.subject.name, "A:" + name);
    EXPECT_THAT(diagnostic.why, HasSubstr("found \"" + value + "\"; expected " + expected));
  }

  BackendRegistry registry_;
};

TEST_F(ParseOptionTest, TellsWhatABackendDeclares) {
  const std::vector<OptionSchema> schemas = GetOptionSchemas(registry_, "A");
  ASSERT_EQ(schemas.size(), MakeSchemas().size());
  EXPECT_EQ(schemas[0].name, "NumberOfThreads");
  const Diagnostic diagnostic = CatchMistake([&] { GetOptionSchemas(registry_, "B"); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kBackendNotRegistered);
}

TEST_F(ParseOptionTest, ReadsEachType) {
  EXPECT_EQ(Parse("A:NumberOfThreads=4"), OptionValue(4));
  EXPECT_EQ(Parse("A:Seed=-9223372036854775808"),
            OptionValue(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(Parse("A:Share=0.25"), OptionValue(0.25));
  EXPECT_EQ(Parse("A:Share=1"), OptionValue(1.0));
  EXPECT_EQ(Parse("A:Share=1e-3"), OptionValue(0.001));
  EXPECT_EQ(Parse("A:Mode=fast"), OptionValue("fast"));
  for (const char* text : {"true", "on", "yes", "1"}) {
    EXPECT_EQ(Parse(std::string("A:Verbose=") + text), OptionValue(true)) << text;
  }
  for (const char* text : {"false", "off", "no", "0"}) {
    EXPECT_EQ(Parse(std::string("A:Verbose=") + text), OptionValue(false)) << text;
  }
}

TEST_F(ParseOptionTest, KeepsColonsAndEqualsSignsOfTheValue) {
  OptionSchema path;
  path.name = "Path";
  path.type = OptionType::kString;
  EXPECT_EQ(ParseOptionValue(path, "a:b=c").string_value, "a:b=c");
  EXPECT_EQ(ParseOptionValue(path, "").string_value, "");
}

TEST_F(ParseOptionTest, RefusesTextsThatAreNoSuchValue) {
  ExpectRefusal("NumberOfThreads", "four", "an int from 1 to 64");
  ExpectRefusal("NumberOfThreads", "4.0", "an int from 1 to 64");
  ExpectRefusal("NumberOfThreads", "4 ", "an int from 1 to 64");
  ExpectRefusal("NumberOfThreads", "", "an int from 1 to 64");
  ExpectRefusal("NumberOfThreads", "65", "an int from 1 to 64");
  ExpectRefusal("Seed", "9223372036854775808", "an int");
  ExpectRefusal("Share", "half", "a float from 0 to 1");
  ExpectRefusal("Share", "0,5", "a float from 0 to 1");
  ExpectRefusal("Share", "nan", "a float from 0 to 1");
  ExpectRefusal("Verbose", "True", "a bool");
  ExpectRefusal("Verbose", "2", "a bool");
  ExpectRefusal("Mode", "slow", "a string, one of \"fast\", \"exact\"");
}

TEST_F(ParseOptionTest, NamesTheNearestOptionAndBackend) {
  const Diagnostic option = CatchMistake([&] { ParseOption(registry_, "A:NumberOfThread=4"); });
  EXPECT_EQ(option.code, DiagnosticCode::kUnknownOption);
  EXPECT_EQ(option.subject.name, "A:NumberOfThread");
  EXPECT_THAT(option.fix, HasSubstr("\"NumberOfThreads\""));
  const Diagnostic backend = CatchMistake([&] { ParseOption(registry_, "a:Seed=4"); });
  EXPECT_EQ(backend.code, DiagnosticCode::kBackendNotRegistered);
  EXPECT_THAT(backend.fix, HasSubstr("\"A\""));
}

TEST_F(ParseOptionTest, RefusesOtherForms) {
  for (const char* text : {"", "A", "A:Seed", "A=Seed", ":Seed=1", "A:=1", "Seed=1:2"}) {
    const Diagnostic diagnostic = CatchMistake([&] { ParseOption(registry_, text); });
    EXPECT_EQ(diagnostic.code, DiagnosticCode::kInvalidOption) << text;
    EXPECT_EQ(diagnostic.subject.name, text);
    EXPECT_THAT(diagnostic.why, HasSubstr("expected ID:NAME=VALUE"));
  }
}

}  // namespace
}  // namespace backplane
