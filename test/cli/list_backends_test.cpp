/// What list-backends shows, run as a process.

#include "list_backends_fixture.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

namespace backplane::test {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::set<std::string> GetKeys(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

TEST_F(ListBackends, ShowsATable) {
  AddMixed();
  const CommandResult result = ListWith({GetPath()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, IsEmpty());
  ExpectGolden("list_backends_table", Normalise(result.out));
}

TEST_F(ListBackends, FailsOnWarningsThatItNames) {
  Add({"ValidA"});
  EXPECT_EQ(ListWith({GetPath(), "--fail-on-warning"}).exit_code, 0);
  Add({"Runs"});
  const std::string absent = GetPath() + "/x86-64-absent";
  const CommandResult result = ListWith(
      {"--fail-on-warning"}, {{"BACKPLANE_BACKENDS_PATH=" + GetPath() + ":" + absent}, "", ""});
  EXPECT_EQ(result.exit_code, 4) << result.err << result.out;
  EXPECT_THAT(result.err, HasSubstr("error " + GetDiagnosticId(DiagnosticCode::kWarningsFail) +
                                    ": there is a warning; found "));
  EXPECT_THAT(result.err, HasSubstr(absent));
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

TEST_F(ListBackends, NamesThePageThatDescribesTheCodesItShows) {
  Add({"ValidA", "NoGetVersion"});
  const std::string label = "\nMore on each code: ";
  for (const CommandResult& result :
       {ListWith({GetPath()}), ListWith({GetPath(), "--explain", "Mock_NoGetVersion"})}) {
    ASSERT_THAT(result.out, HasSubstr(label));
    std::string page = result.out.substr(result.out.find(label) + label.size());
    ASSERT_THAT(page, EndsWith("\n"));
    page.pop_back();
    std::ifstream file(page);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(text, HasSubstr("### BP3004 missing-entry-point")) << page;
  }
}

TEST_F(ListBackends, NamesNoPageWhenNothingIsWrong) {
  Add({"ValidA"});
  EXPECT_THAT(ListWith({GetPath()}).out, Not(HasSubstr("More on each code")));
  EXPECT_THAT(ListWith({GetPath(), "--explain", "MockValidA"}).out,
              Not(HasSubstr("More on each code")));
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

TEST_F(ListBackends, SaysWhichFilesItLookedAtWhenAllAreDisabled) {
  Add({"ValidA"});
  const std::string looked_at = "\nAll backends found are disabled.\nLooked at:\n  " +
                                GetFile("ValidA") + " (argument)\n\n1 skipped\nMore on each code: ";
  const CommandResult by_option = ListWith({"--disable", "Mock*", GetFile("ValidA")});
  EXPECT_EQ(by_option.exit_code, 2);
  EXPECT_THAT(by_option.out, AllOf(HasSubstr("BP1102"), HasSubstr(looked_at)));
  CommandSettings settings;
  settings.environment = {"BACKPLANE_DISABLE_BACKENDS=Mock_*"};
  const CommandResult by_environment = ListWith({GetFile("ValidA")}, settings);
  EXPECT_EQ(by_environment.exit_code, 2);
  EXPECT_THAT(by_environment.out, HasSubstr(looked_at));
}

TEST_F(ListBackends, SaysWhichDirectoriesAndFilesItLookedAt) {
  Add({"ValidA"});
  const std::string absent = GetPath() + "/absent";
  const CommandResult result = ListWith({"--disable", "Mock*", absent, GetFile("ValidA")});
  EXPECT_THAT(result.out, HasSubstr("Looked at:\n  " + absent + " (argument, invalid)\n  " +
                                    GetFile("ValidA") + " (argument)\n"));
}

TEST_F(ListBackends, HintsAtAllOnlyWhenSomethingIsHidden) {
  Add({"ValidA", "NameWithHyphen"});
  EXPECT_THAT(ListWith({GetPath()}).out, EndsWith("1 skipped (--all shows skipped files)\n"));
  EXPECT_THAT(ListWith({"--disable", "Mock_ValidA*", GetPath()}).out,
              HasSubstr("2 skipped (--all shows skipped files)\n"));
  EXPECT_THAT(ListWith({GetPath(), "--all"}).out, HasSubstr("1 loaded, 1 skipped\n"));
}

TEST_F(ListBackends, ShowsHowLongDependenciesTookWhereTheyWereLookedInto) {
  Add({"ValidA"});
  const CommandResult result = ListWith({"--probe", "inspect", "--explain", GetFile("ValidA")});
  EXPECT_THAT(Normalise(result.out), HasSubstr(" dependencies  passed  <time>\n"));
}

TEST_F(ListBackends, TellsWhatIsKnownAboutAFileThatItExplains) {
  Add({"ValidA"});
  const std::string text = ListWith({"--explain", GetFile("ValidA")}).out;
  const auto size = std::to_string(std::filesystem::file_size(GetFile("ValidA")));
  EXPECT_THAT(text, HasSubstr("\n  size            " + size + " bytes\n  owner           "));
  EXPECT_THAT(text, HasSubstr("\n  exports         3: BackendFactory, GetBackendId, GetVersion\n"));
  EXPECT_THAT(text, HasSubstr("; draft of the Backend API: "));
  EXPECT_THAT(text, HasSubstr(" defined nowhere\n"));
  EXPECT_THAT(text, HasSubstr("\n  libraries\n    "));
  EXPECT_THAT(text, HasSubstr("libc.so.6 (above)\n"));
}

TEST_F(ListBackends, ShowsLibrariesThatAreNotFoundInTheTree) {
  Add({"MissingDependency"});
  const std::string text = ListWith({"--explain", GetFile("MissingDependency")}).out;
  EXPECT_THAT(text, HasSubstr("\n    libmock_absent.so\n        NOT FOUND, searched "));
}

TEST_F(ListBackends, TellsOnlyAboutTheOutsideOfADamagedFile) {
  Add({"TextFile"});
  const std::string text = ListWith({"--explain", GetFile("TextFile")}).out;
  EXPECT_THAT(text, HasSubstr(" bytes\n  owner "));
  EXPECT_THAT(text, Not(HasSubstr("\n  libraries")));
}

TEST_F(ListBackends, TellsFactsInJsonWhenAsked) {
  Add({"ValidA"});
  const auto ask = [](const std::vector<std::string>& arguments) {
    return Json::parse(ListWith(arguments).out)["candidates"][0]["facts"];
  };
  EXPECT_TRUE(ask({GetPath(), "--format", "json"}).is_null());
  const Json facts = ask({"--explain", GetFile("ValidA"), "--format", "json"});
  EXPECT_EQ(facts["size_bytes"], std::filesystem::file_size(GetFile("ValidA")));
  const Json& contents = facts["contents"];
  EXPECT_EQ(contents["exports"]["count"], 3);
  EXPECT_EQ(contents["symbols"]["undefined"], 0);
  ASSERT_FALSE(contents["libraries"].empty());
  for (const Json& library : contents["libraries"]) {
    EXPECT_TRUE(std::filesystem::exists(library["path"].get<std::string>())) << library;
  }
}

TEST_F(ListBackends, KeepsFactsWithinTheTerminal) {
  Add({"ValidA"});
  constexpr unsigned short kWidths[] = {60, 80, 140};
  constexpr std::size_t kLabelColumns = 18;
  for (const unsigned short width : kWidths) {
    const CommandResult result = RunOnTerminal(test::InBuildTree(BACKPLANE_LIST_BACKENDS),
                                               {"--explain", GetFile("ValidA")}, width);
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      // A digest or a path is never broken.
      const std::size_t begin = std::max(kLabelColumns, line.find_first_not_of(' '));
      if (line.find(' ', begin) == std::string::npos) continue;
      EXPECT_LE(line.size(), width) << line;
    }
  }
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
  const CommandResult wide =
      RunOnTerminal(test::InBuildTree(BACKPLANE_LIST_BACKENDS), {GetPath()}, 200, settings);
  const CommandResult narrow =
      RunOnTerminal(test::InBuildTree(BACKPLANE_LIST_BACKENDS), {GetPath()}, 60, settings);
  EXPECT_EQ(wide.exit_code, 1);
  EXPECT_THAT(wide.out, HasSubstr("\033[32mloaded\033[0m"));
  EXPECT_THAT(wide.out, HasSubstr("\033[31mrejected\033[0m"));
  EXPECT_LT(std::count(wide.out.begin(), wide.out.end(), '\n'),
            std::count(narrow.out.begin(), narrow.out.end(), '\n'));

  settings.environment.push_back("NO_COLOR=1");
  const CommandResult plain =
      RunOnTerminal(test::InBuildTree(BACKPLANE_LIST_BACKENDS), {GetPath()}, 200, settings);
  EXPECT_THAT(plain.out, Not(HasSubstr("\033")));
}

TEST_F(ListBackends, WritesJsonOfTheDocumentedShape) {
  AddMixed();
  const CommandResult result = ListWith({GetPath(), "/nowhere", "--format", "json"});
  const Json report = Json::parse(result.out);
  EXPECT_EQ(GetKeys(report), (std::set<std::string>{"schema", "backend_api", "configuration",
                                                    "search_paths", "candidates", "variants",
                                                    "joint_run", "diagnostics", "summary"}));
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
      for (const char* key : {"code", "name", "severity", "what", "why", "fix", "help"}) {
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
  EXPECT_EQ(good["where"], "child");
  EXPECT_EQ(good["backend"]["id"], "MockRuns");
  EXPECT_TRUE(good["backend"]["capabilities"].contains("LiveContexts"));
  EXPECT_TRUE(good["timings_us"]["open"].is_number());
}

}  // namespace
}  // namespace backplane::test
