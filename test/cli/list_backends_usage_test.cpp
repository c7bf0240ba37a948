/// How list-backends is called and what it ends with, run as a process.

#include "list_backends_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(ListBackends, SaysWhichPathDoesNotExist) {
  Add({"ValidA"});
  const CommandResult result = ListWith({GetPath(), GetPath() + "/absent"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("MockValidA"), HasSubstr("BP1002"),
                                HasSubstr(GetPath() + "/absent")));
}

TEST_F(ListBackends, SaysWhichFileDoesNotExist) {
  Add({"ValidA"});
  const CommandResult result = ListWith({GetFile("ValidA"), GetPath() + "/Mock_Absent_backend.so"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("1 loaded, 1 rejected"), HasSubstr("BP1201")));
  EXPECT_EQ(ListWith({GetFile("ValidA"), GetPath() + "/absent.so"}).exit_code, 2);
}

TEST_F(ListBackends, TakesRelativePathsAndFiles) {
  Add({"ValidA", "ValidB"});
  CommandSettings settings;
  settings.directory = GetPath();
  const CommandResult directory = ListWith({"."}, settings);
  EXPECT_EQ(directory.exit_code, 0);
  EXPECT_THAT(directory.out, HasSubstr(GetFile("ValidA") + '\n'));
  const CommandResult file = ListWith({"./Mock_ValidB_backend.so"}, settings);
  EXPECT_EQ(file.exit_code, 0);
  EXPECT_THAT(file.out, AllOf(HasSubstr(GetFile("ValidB") + '\n'), Not(HasSubstr("MockValidA"))));
}

TEST_F(ListBackends, LooksAtAFileWithAWrongNameWhenItIsGiven) {
  Add({"NameWithHyphen"});
  const CommandResult result = ListWith({GetFile("NameWithHyphen")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("rejected"), HasSubstr("BP1101")));
}

TEST_F(ListBackends, EndsWith0WhenAllAreUsable) {
  Add({"ValidA", "Runs"});
  EXPECT_EQ(ListWith({GetPath()}).exit_code, 0);
}

TEST_F(ListBackends, EndsWith0WhenSomeAreUnavailable) {
  Add({"ValidA", "FactoryUnavailable"});
  EXPECT_EQ(ListWith({GetPath()}).exit_code, 0);
}

TEST_F(ListBackends, EndsWith1WhenSomeAreRejected) {
  Add({"ValidA", "TextFile"});
  EXPECT_EQ(ListWith({GetPath()}).exit_code, 1);
}

TEST_F(ListBackends, EndsWith2WhenNoneIsUsable) {
  Add({"FactoryUnavailable"});
  EXPECT_EQ(ListWith({GetPath()}).exit_code, 2);
}

TEST_F(ListBackends, EndsWith64WhenCalledWrongly) {
  const std::vector<std::vector<std::string>> calls = {
      {"--unknown"},
      {"--format", "xml"},
      {"--probe", "outside"},
      {"--explain"},
      {"--trust", "nobody"},
      {"--digests", ""},
      {""},
      {"--log-level", "loud"},
      {"--log-file", "/nowhere/log", "--log-level", "info"}};
  for (const auto& arguments : calls) {
    const CommandResult result = ListWith(arguments);
    EXPECT_EQ(result.exit_code, 64) << ::testing::PrintToString(arguments);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, StartsWith("error BP900"));
  }
}

TEST_F(ListBackends, SuggestsTheNearestOption) {
  const CommandResult result = ListWith({"--formt", "json", GetPath()});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_EQ(result.err, "error BP9002: there is no option --formt; did you mean --format?\n");
}

TEST_F(ListBackends, NamesTheChoicesAndTheNearest) {
  EXPECT_EQ(ListWith({"--format", "xml"}).err,
            "error BP9001: --format cannot be \"xml\"; found \"xml\", expected table or json; run "
            "list-backends --help to see how it is called\n");
  EXPECT_THAT(ListWith({"--format", "jsn"}).err, HasSubstr("; did you mean json?\n"));
  EXPECT_EQ(ListWith({"--probe", "inspct"}).err,
            "error BP9001: --probe cannot be \"inspct\"; found \"inspct\", expected inspect or "
            "child or in-process; did you mean inspect?\n");
  EXPECT_THAT(ListWith({"--probe", "chld"}).err, HasSubstr("; did you mean child?\n"));
}

TEST_F(ListBackends, SaysHowManyValuesAnOptionTakes) {
  EXPECT_THAT(ListWith({"--explain"}).err,
              HasSubstr("--explain needs a value; found none, expected FILE_OR_ID; run "));
  EXPECT_THAT(ListWith({"--format", "json", "--format", "json"}).err,
              HasSubstr("--format is given too often; found 2 values, expected one; run "));
}

TEST_F(ListBackends, NamesTheVariableWithWrongLogLevels) {
  CommandSettings settings;
  settings.environment = {"BACKPLANE_LOG=zzzzzzzz"};
  const CommandResult result = ListWith({GetPath()}, settings);
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err,
              AllOf(StartsWith("error BP9003: BACKPLANE_LOG is \"zzzzzzzz\""),
                    HasSubstr("set for example BACKPLANE_LOG="), Not(HasSubstr("--log-level"))));
}

TEST_F(ListBackends, RunsBackendsInAChildProcessUnlessToldOtherwise) {
  Add({"ValidA"});
  const auto ask_where = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {GetPath(), "--format", "json"});
    return nlohmann::json::parse(ListWith(arguments).out)["candidates"][0]["where"];
  };
  EXPECT_EQ(ask_where({}), "child");
  EXPECT_EQ(ask_where({"--probe", "child"}), "child");
  EXPECT_EQ(ask_where({"--probe", "in-process"}), "in-process");
  EXPECT_EQ(ask_where({"--probe", "inspect"}), "file");
}

TEST_F(ListBackends, OpensWhatTheTrustPolicyAndTheDigestsAllow) {
  Add({"ValidA"});
  std::filesystem::permissions(GetFile("ValidA"), std::filesystem::perms::others_write,
                               std::filesystem::perm_options::add);
  const CommandResult refused = ListWith({GetPath()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.out, HasSubstr("BP1301"));
  const std::string in_one_line = ReplaceAll(refused.out, "\n           ", " ");
  EXPECT_THAT(in_one_line, HasSubstr("chmod o-w " + GetFile("ValidA")));
  EXPECT_EQ(ListWith({"--trust", "off", GetPath()}).exit_code, 0);
  const CommandResult unlisted =
      ListWith({"--trust", "off", "--digests", "/dev/null", "--format", "json", GetPath()});
  EXPECT_EQ(unlisted.exit_code, 2);
  EXPECT_THAT(unlisted.out, HasSubstr("BP1306"));
}

TEST_F(ListBackends, InspectsWithoutRunningCode) {
  Add({"FactoryThrows", "ValidA"});
  const CommandResult result = ListWith({"--probe", "inspect", GetPath()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("2 inspected"));
}

TEST_F(ListBackends, DisablesByOptionAndByEnvironment) {
  Add({"ValidA", "ValidB", "Runs"});
  CommandSettings settings;
  settings.environment = {"BACKPLANE_DISABLE_BACKENDS=MockRuns"};
  const CommandResult result =
      ListWith({GetPath(), "--disable", "Mock_ValidA_*", "--disable", "MockValidB"}, settings);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("3 skipped"), HasSubstr("BP1102")));
}

TEST_F(ListBackends, TakesWhatFollowsTheValueOfDisableAsAPath) {
  Add({"ValidA", "ValidB"});
  const CommandResult result =
      ListWith({"--disable", "MockValidA", GetFile("ValidA"), GetFile("ValidB")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("1 loaded, 1 skipped"), HasSubstr("MockValidB")));
}

TEST_F(ListBackends, KeepsWhatBackendsPrintOutOfTheResults) {
  Add({"Prints"});
  const CommandResult in_child = ListWith({GetPath(), "--format", "json"});
  EXPECT_EQ(in_child.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::accept(in_child.out)) << in_child.out;
  const CommandResult here = ListWith({GetPath(), "--format", "json", "--probe", "in-process"});
  EXPECT_TRUE(nlohmann::json::accept(here.out)) << here.out;
  EXPECT_THAT(here.err, Not(IsEmpty()));
}

TEST_F(ListBackends, WritesLogsToStandardErrorOrAFile) {
  AddMixed();
  const CommandResult plain = ListWith({GetPath()});
  const CommandResult logged = ListWith({GetPath(), "--log-level", "debug"});
  EXPECT_EQ(Normalise(logged.out), Normalise(plain.out));
  EXPECT_THAT(logged.err, HasSubstr("Mock_TextFile_backend.so"));

  CommandSettings settings;
  settings.environment = {"BACKPLANE_LOG=debug"};
  const std::string file = GetPath() + "/log";
  const CommandResult to_file = ListWith({GetPath(), "--log-file", file}, settings);
  EXPECT_THAT(to_file.err, IsEmpty());
  std::ifstream log(file);
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  EXPECT_THAT(text, HasSubstr("Mock_TextFile_backend.so"));
}

TEST_F(ListBackends, SaysThatResultsCouldNotBeWritten) {
  CommandSettings settings;
  settings.out_file = "/dev/full";
  const CommandResult result = ListWith({GetPath()}, settings);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
}

TEST_F(ListBackends, PrintsHelpAndVersions) {
  const CommandResult help = ListWith({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  ExpectGolden("list_backends_help", help.out);
  const CommandResult version = ListWith({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  const BackendVersion api = kBackendApiVersion;
  EXPECT_THAT(version.out, AllOf(StartsWith("list-backends "),
                                 HasSubstr("\nBackend API " + std::to_string(api.major) + '.' +
                                           std::to_string(api.minor) + ", draft " +
                                           std::to_string(BP_API_DRAFT) + '\n')));
}

}  // namespace
}  // namespace backplane::test
