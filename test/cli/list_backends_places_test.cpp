/// Where list-backends looks, as variables and drop-in files say.

#include "list_backends_fixture.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Json = nlohmann::json;

/// With drop-in files of its own, and nothing that was compiled in.
class ListBackendsPlaces : public ListBackends {
 protected:
  CommandSettings Set(std::vector<std::string> environment) const {
    environment.push_back("BACKPLANE_CONFIGURATION_DIR=" + drop_ins_.GetPath());
    environment.emplace_back("DYNAMIC_BACKEND_PATHS=");
    CommandSettings settings;
    settings.environment = std::move(environment);
    return settings;
  }

  std::string WriteDropIn(const std::string& text) const {
    std::string path = drop_ins_.Write("10-npu.conf", text);
    EXPECT_EQ(::chmod(path.c_str(), 0644), 0);
    return path;
  }

  /// Without line breaks.
  static std::string Join(const CommandResult& result) {
    std::string text = result.out;
    for (std::size_t end = text.find("\n "); end != std::string::npos; end = text.find("\n ")) {
      text.replace(end, text.find_first_not_of(" \n", end) - end, " ");
    }
    return text;
  }

  const TemporaryDirectory drop_ins_;
};

TEST_F(ListBackendsPlaces, AreInJsonWithSourceAndOrigin) {
  Add({"ValidA"});
  const std::string drop_in = WriteDropIn("# places\npath = " + GetPath() + "\n");
  const CommandResult result =
      ListWith({"--format", "json", "--user"},
               Set({"BACKPLANE_BACKENDS_PATH=relative", "XDG_DATA_HOME=/no-such-directory"}));
  EXPECT_EQ(result.exit_code, 0);
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["configuration"]["directory"], drop_ins_.GetPath());
  EXPECT_EQ(report["configuration"]["diagnostics"], Json::array());
  const Json& paths = report["search_paths"];
  ASSERT_EQ(paths.size(), 3U);
  EXPECT_EQ(paths[0]["source"], "environment");
  EXPECT_EQ(paths[0]["origin"], "BACKPLANE_BACKENDS_PATH, element 1");
  EXPECT_EQ(paths[0]["status"], "invalid");
  EXPECT_EQ(paths[0]["diagnostics"][0]["code"], "BP1004");
  EXPECT_EQ(paths[1]["source"], "user");
  EXPECT_EQ(paths[1]["path"], "/no-such-directory/backplane/backends");
  EXPECT_EQ(paths[1]["diagnostics"][0]["severity"], "note");
  EXPECT_EQ(paths[2]["source"], "drop-in");
  EXPECT_EQ(paths[2]["origin"], drop_in + ":2");
  EXPECT_EQ(paths[2]["status"], "scanned");
  EXPECT_EQ(report["candidates"][0]["backend"]["id"], "MockValidA");
}

TEST_F(ListBackendsPlaces, AreWarnedOfBelowTheTable) {
  Add({"ValidA"});
  const std::string drop_in =
      WriteDropIn("path = " + GetPath() + "\npaht = /opt\nprefer = MockValdA\n");
  const CommandResult result = ListWith({}, Set({"BACKPLANE_BACKENDS_PATH=/no-such-directory"}));
  EXPECT_EQ(result.exit_code, 0) << "what can be used, can be used";
  const std::string text = Join(result);
  EXPECT_THAT(text, AllOf(HasSubstr("MockValidA"), HasSubstr("BP1002"),
                          HasSubstr("BACKPLANE_BACKENDS_PATH, element 1 names it")));
  EXPECT_THAT(text, AllOf(HasSubstr("warning BP1401: " + drop_in + ":2"),
                          HasSubstr("did you mean \"path\"?")));
  EXPECT_THAT(text, AllOf(HasSubstr("warning BP1406: the preferred backend \"MockValdA\""),
                          HasSubstr(drop_in + ":3 prefers it")));
}

TEST_F(ListBackendsPlaces, AreToldWhenNothingIsFound) {
  const std::string drop_in = WriteDropIn("path = " + GetPath());
  const CommandResult result = ListWith({}, Set({"BACKPLANE_BACKENDS_PATH=/no-such-directory"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(
      result.out,
      AllOf(HasSubstr("\n  /no-such-directory (environment, BACKPLANE_BACKENDS_PATH, element 1, "
                      "invalid)\n"),
            HasSubstr("\n  " + GetPath() + " (drop-in, " + drop_in + ":1)\n")));
  EXPECT_THAT(Join(result), HasSubstr("BACKPLANE_BACKENDS_PATH"));
  EXPECT_THAT(ListWith({}, Set({})).out, Not(HasSubstr("nowhere")));
  WriteDropIn("");
  EXPECT_THAT(ListWith({}, Set({})).out,
              HasSubstr("nowhere: no PATH is given and no other place is set"));
}

TEST_F(ListBackendsPlaces, AreExplainedForABackend) {
  Add({"ValidA"});
  const std::string drop_in = WriteDropIn("path = " + GetPath() + "//\n");
  const CommandResult result = ListWith({"--explain", "MockValidA"}, Set({}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(Join(result),
              HasSubstr("found in        " + GetPath() + "// (drop-in, " + drop_in + ":1)"));
  EXPECT_THAT(ListWith({GetPath(), "--all"}, Set({})).out,
              HasSubstr("Looked at:\n  " + GetPath() + " (argument)\n"));
}

TEST_F(ListBackendsPlaces, NameTheLineThatDisables) {
  Add({"ValidA"});
  const std::string drop_in = WriteDropIn("path = " + GetPath() + "\ndisable = MockValidA\n");
  const CommandResult result = ListWith({}, Set({}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(Join(result), AllOf(HasSubstr("BP1102"), HasSubstr("of " + drop_in + ":2"),
                                  HasSubstr("take that entry out of " + drop_in + ":2")));
}

TEST_F(ListBackendsPlaces, WarnOfRulesThatFitNoBackend) {
  Add({"ValidA"});
  const std::string drop_in = WriteDropIn(
      "path = " + GetPath() +
      "\nsandbox = MockValdA\nisolate = mockValidA\nrefuse_permissions = Mock*\ndisable = Npu\n");
  const CommandResult result =
      ListWith({}, Set({"BACKPLANE_DISABLE_BACKENDS=Zzz;Yyy,Mock_Valid*X"}));
  EXPECT_EQ(result.exit_code, 0);
  const std::string text = Join(result);
  EXPECT_THAT(text, AllOf(HasSubstr("warning BP1407: no backend fits \"MockValdA\", which " +
                                    drop_in + ":2 sandboxes"),
                          HasSubstr("did you mean \"MockValidA\"?")));
  EXPECT_THAT(text, HasSubstr("\"mockValidA\", which " + drop_in + ":3 isolates"));
  EXPECT_THAT(text, HasSubstr("\"Zzz;Yyy\", which BACKPLANE_DISABLE_BACKENDS disables"));
  EXPECT_THAT(text, HasSubstr("\"Mock_Valid*X\", which BACKPLANE_DISABLE_BACKENDS disables"));
  EXPECT_THAT(text, Not(HasSubstr("\"Mock*\"")));
  EXPECT_THAT(text, Not(HasSubstr("\"Npu\""))) << "it may not be installed";
}

TEST_F(ListBackendsPlaces, NoteRulesOfDropInFilesForAbsentBackends) {
  Add({"ValidA"});
  const std::string drop_in = WriteDropIn("path = " + GetPath() + "\nsandbox = Npu\n");
  const Json notes =
      Json::parse(ListWith({"--format", "json"}, Set({})).out)["configuration"]["diagnostics"];
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0]["code"], GetDiagnosticId(DiagnosticCode::kRuleFitsNothing));
  EXPECT_EQ(notes[0]["severity"], "note");
  EXPECT_EQ(notes[0]["what"], "no backend fits \"Npu\", which " + drop_in + ":2 sandboxes");
}

TEST_F(ListBackendsPlaces, RefuseRulesThatFitNoBackendUnderTheStrictPolicy) {
  const std::string folder = GetMockRow("ValidA").folder;
  if (ListWith({folder, "--trust", "strict"}).exit_code != 0) {
    GTEST_SKIP() << "others than root and this user may write " << folder;
  }
  const CommandSettings settings = Set({"BACKPLANE_SANDBOX_BACKENDS=MockValdA"});
  EXPECT_EQ(ListWith({folder}, settings).exit_code, 0);
  const CommandResult result = ListWith({folder, "--trust", "strict"}, settings);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(Join(result), HasSubstr("error BP1407: no backend fits \"MockValdA\""));
}

TEST_F(ListBackendsPlaces, NameTheFileThatListsDigests) {
  Add({"ValidA"});
  const std::string drop_in = WriteDropIn("path = " + GetPath() + "\ndigest = 1234\n");
  const CommandResult result = ListWith({}, Set({}));
  EXPECT_EQ(result.exit_code, 2) << "a digest that cannot be read allows nothing";
  EXPECT_THAT(Join(result),
              AllOf(HasSubstr("BP1305"), HasSubstr("add to " + drop_in), HasSubstr("BP1401")));
}

}  // namespace
}  // namespace backplane::test
