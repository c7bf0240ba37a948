/// list-backends, run as a process.

#include "mock_rows.hpp"
#include "run_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace backplane::test {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

CommandResult ListWith(const std::vector<std::string>& arguments,
                       const CommandSettings& settings = {}) {
  return RunCommand(BACKPLANE_LIST_BACKENDS, arguments, settings);
}

std::set<std::string> GetKeys(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

/// Replaces the number in front of " us" at the end of a line, and the spaces before it.
std::string HideTimes(const std::string& text) {
  std::string hidden;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t unit = line.size() > 3 ? line.size() - 3 : 0;
    if (line.compare(unit, 3, " us") == 0) {
      const std::size_t number = line.find_last_not_of("0123456789", unit - 1);
      line.erase(line.find_last_not_of(' ', number) + 1);
      line += "  <time>";
    }
    hidden += line + '\n';
  }
  return hidden;
}

/// Tests with a directory of their own, empty at first.
class ListBackends : public ::testing::Test {
 protected:
  void Add(const std::vector<std::string>& rows) const {
    for (const std::string& row : rows) directory_.Add(row);
  }

  /// One of every kind that an operator meets.
  void AddMixed() const {
    Add({"Runs", "ValidA", "LinkTarget", "LinkMinor", "VersionHighest", "VersionMiddle",
         "VersionLowest", "TextFile", "NoGetVersion", "FactoryThrows", "FactoryUnavailable",
         "DuplicateFirst", "DuplicateSecond", "NameWithHyphen"});
  }

  std::string GetFile(const std::string& row) const {
    return GetPath() + '/' + std::filesystem::path(GetMockRow(row).path).filename().string();
  }

  const std::string& GetPath() const { return directory_.GetPath(); }

  /// Without what differs between runs.
  std::string Normalise(const std::string& text) const {
    const std::string same_length = GetPath().substr(0, GetPath().size() - 6) + "XXXXXX";
    return HideTimes(ReplaceAll(text, GetPath(), same_length));
  }

 private:
  MockDirectory directory_;
};

TEST_F(ListBackends, ShowsATable) {
  AddMixed();
  const CommandResult result = ListWith({GetPath()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, IsEmpty());
  ExpectGolden("list_backends_table", Normalise(result.out));
}

TEST_F(ListBackends, ShowsSkippedFilesWithAll) {
  Add({"ValidA", "NameWithHyphen", "NameWithTrailingDot"});
  const CommandResult result = ListWith({GetPath(), "--all"});
  EXPECT_EQ(result.exit_code, 0);
  ExpectGolden("list_backends_all", Normalise(result.out));
}

TEST_F(ListBackends, ExplainsAGoodBackend) {
  Add({"ValidA"});
  const CommandResult result = ListWith({"--explain", GetFile("ValidA")});
  EXPECT_EQ(result.exit_code, 0);
  ExpectGolden("list_backends_explain_good", Normalise(result.out));
}

TEST_F(ListBackends, ExplainsABadFile) {
  Add({"NoGetVersion"});
  const CommandResult result = ListWith({"--explain", GetFile("NoGetVersion")});
  EXPECT_EQ(result.exit_code, 2);
  ExpectGolden("list_backends_explain_bad", Normalise(result.out));
}

TEST_F(ListBackends, ExplainsABackendThatFailedWhileItsCodeRan) {
  Add({"FactoryThrows", "ValidA"});
  const CommandResult result = ListWith({GetPath(), "--explain", "MockFactoryThrows"});
  EXPECT_EQ(result.exit_code, 2);
  ExpectGolden("list_backends_explain_threw", Normalise(result.out));
}

TEST_F(ListBackends, ExplainsAFileByItsNameInTheSearchPath) {
  AddMixed();
  const CommandResult by_file = ListWith({GetPath(), "--explain", "Mock_TextFile_backend.so"});
  const CommandResult by_family = ListWith({GetPath(), "--explain", "Mock_TextFile"});
  EXPECT_THAT(by_file.out, AllOf(StartsWith(GetFile("TextFile")), HasSubstr("FAILED")));
  EXPECT_EQ(Normalise(by_file.out), Normalise(by_family.out));
}

TEST_F(ListBackends, SuggestsTheNearestWhenThereIsNothingToExplain) {
  Add({"ValidA"});
  const CommandResult result = ListWith({GetPath(), "--explain", "MockValidaa"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("nothing found is called \"MockValidaa\"; did you mean "
                                    "\"MockValidA\"?"));
}

TEST_F(ListBackends, ExplainsAFileThatDoesNotExist) {
  const CommandResult result = ListWith({"--explain", GetPath() + "/Mock_Absent_backend.so"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("BP1201"));
}

TEST_F(ListBackends, SaysWhereItLookedWhenTheDirectoryIsEmpty) {
  const CommandResult result = ListWith({GetPath()});
  EXPECT_EQ(result.exit_code, 2);
  ExpectGolden("list_backends_empty", Normalise(result.out));
}

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
      {""},
      {"--log-level", "loud"},
      {"--log-file", "/nowhere/log", "--log-level", "info"}};
  for (const auto& arguments : calls) {
    const CommandResult result = ListWith(arguments);
    EXPECT_EQ(result.exit_code, 64) << ::testing::PrintToString(arguments);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, StartsWith("list-backends: "));
  }
}

TEST_F(ListBackends, SaysWhatToUseInsteadOfTheChildProbe) {
  const CommandResult result = ListWith({"--probe", "child", GetPath()});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--probe in-process"), HasSubstr("--probe inspect")));
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

TEST_F(ListBackends, KeepsWhatBackendsPrintOutOfTheResults) {
  Add({"Prints"});
  const CommandResult result = ListWith({GetPath(), "--format", "json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(Json::accept(result.out)) << result.out;
  EXPECT_THAT(result.err, HasSubstr("a mock backend was loaded"));
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

TEST_F(ListBackends, EscapesNamesThatAreNotPrintable) {
  Add({"ValidA"});
  std::ofstream(GetPath() + "/Mock_\x1b[31m\xff_backend.so") << "";
  const CommandResult result = ListWith({GetPath(), "--all"});
  EXPECT_THAT(result.out, HasSubstr("Mock_\\x1b[31m\\xff_backend.so"));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
}

TEST_F(ListBackends, ColoursAndWrapsOnATerminal) {
  Add({"ValidA", "TextFile"});
  CommandSettings settings;
  settings.environment = {"TERM=xterm"};
  const CommandResult wide = RunOnTerminal(BACKPLANE_LIST_BACKENDS, {GetPath()}, 200, settings);
  const CommandResult narrow = RunOnTerminal(BACKPLANE_LIST_BACKENDS, {GetPath()}, 60, settings);
  EXPECT_EQ(wide.exit_code, 1);
  EXPECT_THAT(wide.out, HasSubstr("\033[32mloaded\033[0m"));
  EXPECT_THAT(wide.out, HasSubstr("\033[31mrejected\033[0m"));
  EXPECT_LT(std::count(wide.out.begin(), wide.out.end(), '\n'),
            std::count(narrow.out.begin(), narrow.out.end(), '\n'));

  settings.environment.push_back("NO_COLOR=1");
  const CommandResult plain = RunOnTerminal(BACKPLANE_LIST_BACKENDS, {GetPath()}, 200, settings);
  EXPECT_THAT(plain.out, Not(HasSubstr("\033")));
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
                                           std::to_string(BACKPLANE_BACKEND_API_DRAFT) + '\n')));
}

TEST_F(ListBackends, WritesJsonOfTheDocumentedShape) {
  AddMixed();
  const CommandResult result = ListWith({GetPath(), "/nowhere", "--format", "json"});
  const Json report = Json::parse(result.out);
  EXPECT_EQ(GetKeys(report), (std::set<std::string>{"schema", "backend_api", "search_paths",
                                                    "candidates", "summary"}));
  EXPECT_EQ(report["schema"], 1);
  ASSERT_EQ(report["search_paths"].size(), 2U);
  EXPECT_EQ(report["search_paths"][0]["path"], GetPath());
  EXPECT_EQ(report["search_paths"][0]["source"], "argument");
  EXPECT_EQ(report["search_paths"][0]["status"], "scanned");
  EXPECT_EQ(report["search_paths"][1]["status"], "invalid");
  EXPECT_EQ(report["search_paths"][1]["diagnostics"][0]["code"], "BP1002");
  EXPECT_EQ(GetKeys(report["summary"]), (std::set<std::string>{"loaded", "inspected", "unavailable",
                                                               "rejected", "skipped", "shadowed"}));
  for (const Json& candidate : report["candidates"]) {
    for (const char* key : {"path", "canonical_path", "status", "stage", "where", "backend",
                            "diagnostics", "timings_us"}) {
      EXPECT_TRUE(candidate.contains(key)) << key << " in " << candidate;
    }
    for (const Json& diagnostic : candidate["diagnostics"]) {
      for (const char* key : {"code", "name", "severity", "what", "why", "fix"}) {
        EXPECT_TRUE(diagnostic.contains(key)) << key << " in " << diagnostic;
      }
    }
  }
}

TEST_F(ListBackends, WritesJsonThatCountsAndNames) {
  Add({"Runs", "NoGetVersion"});
  const Json report = Json::parse(ListWith({GetPath(), "--format", "json"}).out);
  EXPECT_EQ(report["summary"]["loaded"], 1);
  EXPECT_EQ(report["summary"]["rejected"], 1);
  const Json& bad = report["candidates"][0];
  EXPECT_EQ(bad["status"], "rejected");
  EXPECT_EQ(bad["stage"], "entry points");
  EXPECT_TRUE(bad["backend"].is_null());
  EXPECT_EQ(bad["diagnostics"][0]["name"], "missing-entry-point");
  const Json& good = report["candidates"][1];
  EXPECT_EQ(good["path"], GetFile("Runs"));
  EXPECT_EQ(good["where"], "in-process");
  EXPECT_EQ(good["backend"]["id"], "MockRuns");
  EXPECT_TRUE(good["backend"]["capabilities"].contains("LiveContexts"));
  EXPECT_TRUE(good["timings_us"]["open"].is_number());
}

}  // namespace
}  // namespace backplane::test
