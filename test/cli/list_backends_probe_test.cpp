/// What list-backends shows of backends that die, or leave something behind, in the process of
/// their own in which they run.

#include "list_backends_fixture.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace backplane::test {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(ListBackends, ShowsDeadlyBackendsInTheTable) {
  Add({"CrashInConstructor", "ThrowInConstructor", "ExitAtOnce", "LoopInFactory", "LeavesProcess",
       "Foreign", "ValidA"});
  const CommandResult result = ListWith({GetPath(), "--timeout", "5"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, IsEmpty());
  ExpectGolden("list_backends_deadly", Normalise(result.out));
}

TEST_F(ListBackends, ShowsOnATerminalHowFarALongScanIs) {
  Add({"LoopInFactory"});
  const std::vector<std::string> arguments = {GetPath(), "--timeout", "3", "--no-cache"};
  const CommandResult shown =
      RunOnTerminal(test::InBuildTree(BACKPLANE_LIST_BACKENDS), arguments, 60);
  const std::string line = "running 1 of 1: Mock_LoopInFactory_backend.so";
  EXPECT_THAT(shown.out, HasSubstr('\r' + line));
  EXPECT_THAT(shown.out, HasSubstr('\r' + std::string(line.size(), ' ') + '\r'));
  EXPECT_THAT(ListWith(arguments).err, IsEmpty());
}

TEST_F(ListBackends, NamesRejectedFilesOnceMoreBelowALongTable) {
  Add({"TextFile", "ValidA"});
  EXPECT_THAT(ListWith({GetPath(), "--probe", "inspect"}).out, Not(HasSubstr("\n\nerror ")));
  for (int i = 0; i < 20; ++i) {
    std::filesystem::create_hard_link(GetFile("ValidA"),
                                      GetPath() + "/More_B" + std::to_string(i) + "_backend.so");
  }
  const CommandResult result = ListWith({GetPath(), "--probe", "inspect"});
  EXPECT_THAT(result.out, AllOf(HasSubstr("\n\nerror BP2002: "), HasSubstr(GetFile("TextFile"))));
}

TEST_F(ListBackends, ExplainsADeadlyBackend) {
  Add({"AbortInConstructor"});
  const CommandResult result = ListWith({"--explain", GetFile("AbortInConstructor")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, IsEmpty());
  ExpectGolden("list_backends_explain_deadly", Normalise(result.out));
}

TEST_F(ListBackends, TellsInUtcWhenAVerdictWasReached) {
  Add({"ValidA"});
  CommandSettings settings;
  settings.environment = {"XDG_CACHE_HOME=" + GetPath() + "/cache", "TZ=Asia/Tokyo"};
  const std::vector<std::string> arguments = {"--explain", GetFile("ValidA")};
  EXPECT_THAT(ListWith(arguments, settings).out, HasSubstr("looked at in    child\n"));
  EXPECT_THAT(ListWith(arguments, settings).out,
              AllOf(HasSubstr("looked at in    child, on 20"), HasSubstr(" UTC, and nothing ")));
}

TEST_F(ListBackends, WritesJsonOfADeadlyBackend) {
  Add({"CrashInConstructor", "ValidA"});
  const CommandResult result = ListWith({GetPath(), "--format", "json"});
  EXPECT_EQ(result.exit_code, 1);
  const Json report = Json::parse(result.out);
  const Json& deadly = report["candidates"][0];
  EXPECT_EQ(deadly["status"], "rejected");
  EXPECT_EQ(deadly["stage"], "open");
  EXPECT_EQ(deadly["where"], "child");
  EXPECT_EQ(deadly["diagnostics"][0]["name"], "plugin-crashed");
  EXPECT_EQ(report["candidates"][1]["where"], "child");
}

TEST_F(ListBackends, WritesTheTensorHandleFactoriesThatABackendHas) {
  Add({"Complete"});
  const Json report = Json::parse(ListWith({GetPath(), "--format", "json"}).out);
  EXPECT_EQ(report["candidates"][0]["backend"]["tensor_handle_factories"],
            Json::array({"Mock/Complete/Plain"}));
}

TEST_F(ListBackends, KeepsWhatBackendsPrintApartFromTheReport) {
  Add({"Prints", "WritesManyErrors"});
  const CommandResult table = ListWith({GetPath()});
  EXPECT_THAT(table.err, IsEmpty());
  EXPECT_THAT(table.out, HasSubstr("the last of many lines"));
  const CommandResult ladder = ListWith({GetPath(), "--explain", "MockPrints"});
  EXPECT_THAT(ladder.err, IsEmpty());
  EXPECT_THAT(ladder.out, HasSubstr("beginning with \"a mock backend was loaded\""));
}

TEST_F(ListBackends, SaysWhatATimeoutMayBe) {
  for (const char* timeout : {"0", "-1", "abc", "1s", "86401", "nan", "inf", ""}) {
    const CommandResult result = ListWith({GetPath(), "--timeout", timeout});
    EXPECT_EQ(result.exit_code, 64) << timeout;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, AllOf(HasSubstr("--timeout"), HasSubstr("expected a number of seconds "
                                                                    "above 0 and up to 86400")))
        << timeout;
  }
  Add({"ValidA"});
  EXPECT_EQ(ListWith({GetPath(), "--timeout", "86400"}).exit_code, 0);
  EXPECT_EQ(ListWith({GetPath(), "--timeout", "30.5"}).exit_code, 0);
}

TEST_F(ListBackends, WarnsOfUsableBackendsThatDisturbTheProcess) {
  Add({"LeavesProcess"});
  const CommandResult result = ListWith({GetPath(), "--allow-intrusive"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("MockLeavesProcess  loaded"));
  EXPECT_THAT(result.out, HasSubstr("warning BP4303: Mock_LeavesProcess_backend.so starts"));
  EXPECT_THAT(result.out, HasSubstr("More on each code: "));
}

TEST_F(ListBackends, RejectsBackendsThatTakeTheProcessOver) {
  Add({"LeavesProcess"});
  const CommandResult result = ListWith({GetPath(), "--format", "json"});
  EXPECT_EQ(result.exit_code, 2);
  const Json candidate = Json::parse(result.out)["candidates"][0];
  EXPECT_EQ(candidate["status"], "rejected");
  EXPECT_EQ(candidate["diagnostics"][0]["name"], "left-processes");
  EXPECT_EQ(candidate["diagnostics"][1]["name"], "intrusive-backend");
}

TEST_F(ListBackends, SaysWhichBackendEndedTheScanInItsOwnProcess) {
  struct End {
    const char* row;
    const char* words;
  };
  for (const End& end :
       {End{"ExitInConstructor", "its process ended with exit code 0, by exit or _exit"},
        End{"ExitAtOnce", "its process ended with exit code 3, by exit or _exit"},
        End{"CrashInConstructor", DescribeEndByBadAccess()},
        End{"CrashAtExit", DescribeEndByBadAccess()}}) {
    // The thread sanitizer has a list of exit handlers of its own, done when all others are.
    if (HasThreadSanitizer() && end.row == std::string("CrashAtExit")) continue;
    const CommandResult result =
        ListWith({GetMockRow(end.row).path, "--probe", "in-process", "--format", "json"});
    EXPECT_EQ(result.exit_code, 2) << end.row;
    EXPECT_THAT(result.out, IsEmpty()) << end.row;
    EXPECT_THAT(result.err, AllOf(HasSubstr(GetMockRow(end.row).path +
                                            " ended the process that opened it, and with it"),
                                  HasSubstr(end.words), HasSubstr("without --probe in-process")));
  }
}

TEST_F(ListBackends, WarnsOfUsableBackendsWhoseFilesAreRisky) {
  Add({"RunPath"});
  const CommandResult result = ListWith({GetPath()});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, AllOf(HasSubstr("loaded"), HasSubstr("warning BP4104: ")));
}

TEST_F(ListBackends, SaysThatAPathIsALoopOfLinks) {
  const std::string link = GetPath() + "/backends";
  std::filesystem::create_symlink(link, link);
  const CommandResult result = ListWith({link});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("the search path " + link + " leads through a"));
  EXPECT_THAT(result.out, Not(HasSubstr("BP1101"))) << "a directory was meant";
}

TEST_F(ListBackends, SaysThatTheWorkingDirectoryIsGone) {
  const std::string script = "cd \"$1\" && rmdir \"$1\" && exec \"$0\" some/backends";
  const CommandResult result =
      RunCommand("/bin/sh", {"-c", script, test::InBuildTree(BACKPLANE_LIST_BACKENDS), GetPath()});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(JoinDiagnosticLines(result.err),
              AllOf(HasSubstr("the relative path \"some/backends\" leads nowhere"),
                    HasSubstr("change to a directory that exists")));
}

}  // namespace
}  // namespace backplane::test
