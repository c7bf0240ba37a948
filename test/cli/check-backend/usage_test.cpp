/// How check-backend is called and what it ends with.

#include "check_backend_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr char kWords[] = "Convolution";

CommandSettings WithMistake(const std::string& name) {
  CommandSettings settings;
  settings.environment = {"MOCK_MUTANT=" + name};
  return settings;
}

TEST(CheckBackendUsage, PrintsHelpAndVersions) {
  const CommandResult help = CheckWith({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  ExpectGolden("check_backend_help", help.out);
  const CommandResult version = CheckWith({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, AllOf(StartsWith("check-backend "), HasSubstr("\nBackend API ")));
}

TEST(CheckBackendUsage, ListsEveryRule) {
  const CommandResult result = CheckWith({"--list-rules"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(StartsWith("file\n  BC0101  must    A host loads the file.\n"),
                                HasSubstr("\n\nanswers\n"), HasSubstr("\n  BC0301  must    ")));
}

TEST(CheckBackendUsage, EndsWith64WhenCalledWrongly) {
  const std::string file = GetMutants();
  const std::vector<std::vector<std::string>> calls = {
      {},
      {file, "--unknown"},
      {file, "--format", "xml"},
      {file, "--rule", "BC9999"},
      {file, "--rule"},
      {file, "--seed", "x"},
      {file, "--timeout", "0"},
      {file, "--case", "1"},
      {file, "--case", "1", "--rule", "answers"},
      {file, "--case", "1", "--rule", "BC0301", "--rule", "BC0101"},
      {file, "--for", "nothing:1"},
      {file, "--model", "net.onnx"},
      {file, "--against", file},
      {file, file}};
  for (const auto& arguments : calls) {
    const CommandResult result = CheckWith(arguments);
    EXPECT_EQ(result.exit_code, 64) << ::testing::PrintToString(arguments);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, StartsWith("error BP900"));
  }
}

TEST(CheckBackendUsage, SuggestsTheNearestRule) {
  EXPECT_THAT(CheckWith({GetMutants(), "--rule", "BC0399"}).err,
              AllOf(HasSubstr("no rule or family is called \"BC0399\""),
                    HasSubstr("did you mean BC03"), HasSubstr("--list-rules")));
  EXPECT_THAT(CheckWith({GetMutants(), "--rule", "anwsers"}).err,
              HasSubstr("did you mean answers?"));
}

TEST(CheckBackendUsage, EndsWith2WhenTheFileIsNotThere) {
  const CommandResult result = CheckWith({"/nowhere/Mock_Absent_backend.so"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("BC0101  BROKEN"), HasSubstr("BP1201")));
}

TEST(CheckBackendUsage, EndsWith2WhenTheFileIsNoBackend) {
  const std::string path = ::testing::TempDir() + "Mock_Text_backend.so";
  std::ofstream(path) << "no ELF file\n";
  const CommandResult result = CheckWith({path, "--rule", "BC0301"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("BC0101  BROKEN"), Not(HasSubstr("BC0301"))));
  std::remove(path.c_str());
}

TEST(CheckBackendUsage, TakesARelativePath) {
  CommandSettings settings;
  settings.directory = GetMockFile("mutants");
  const CommandResult result =
      CheckWith({"Mock_Mutants_backend.so", "--rule", "BC0101", "--quick"}, settings);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith(GetMutants()));
}

TEST(CheckBackendUsage, SaysWhatIsKept) {
  const CommandResult result = CheckWith({GetMutants(), "--rule", "BC0301", "--quick"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out,
              AllOf(StartsWith(GetMutants() +
                               ": backend \"MockMutants\" 3.2.1 of Mock Works\n\n  answers\n"),
                    HasSubstr("    BC0301  kept   What a backend says"),
                    HasSubstr("\n1 rules: 1 kept, 0 broken, 0 with advice, 0 not applied; ")));
}

TEST(CheckBackendUsage, MeasuresAnotherFileOfTheSameBackendBesideIt) {
  const std::string other = ::testing::TempDir() + "Mock_OtherMutants_backend.so";
  std::filesystem::copy_file(GetMutants(), other,
                             std::filesystem::copy_options::overwrite_existing);
  const CommandResult result =
      CheckWith({GetMutants(), "--rule", "BC0101", "--speed", "--against", other});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, ContainsRegex("\n  speed \\(x: of MockMutants\\) +MockMutants +CpuRef +" +
                                        other + " *\n"));
  EXPECT_THAT(
      result.out,
      ContainsRegex("\n    sum of two tensors( +[0-9.]+ us)( +[0-9.]+ us \\([0-9.]+x\\)){2}"));
  std::filesystem::remove(other);
}

TEST(CheckBackendUsage, SaysWhatIsBrokenAndHowToRepeatIt) {
  const CommandResult result = CheckWith(
      {GetMutants(), "--rule", "answers", "--quick", "--seed", "7"}, WithMistake("PadsSwapped"));
  EXPECT_EQ(result.exit_code, 1);
  const std::string text = ReplaceAll(result.out, "\n                  ", " ");
  EXPECT_THAT(text, AllOf(HasSubstr("    BC0301  BROKEN What a backend says"),
                          HasSubstr("        did:      runs Convolution ("),
                          HasSubstr("        seen:     output 0, element "),
                          HasSubstr("        expected: what the operator means"),
                          HasSubstr("        repeat:   check-backend " + GetMutants() +
                                    " --rule BC0301 --seed 7 --quick --case "),
                          HasSubstr(" more\n")));
}

TEST(CheckBackendUsage, WritesACommandThatAShellTakes) {
  const std::string directory = ::testing::TempDir() + "check backend's \xff directory";
  const std::string path = directory + "/Mock_Mutants_backend.so";
  std::filesystem::create_directories(directory);
  std::filesystem::copy_file(GetMutants(), path, std::filesystem::copy_options::overwrite_existing);
  const std::vector<std::string> arguments = {path, "--rule", "BC0301", "--quick"};
  const std::string quoted = "check-backend '" + ::testing::TempDir() + "check backend'\\''s ";
  const CommandResult text = CheckWith(arguments, WithMistake("PadsSwapped"));
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.out, HasSubstr("        repeat:   " + quoted +
                                  "\\xff directory/Mock_Mutants_"
                                  "backend.so' --rule BC0301 --seed 1 --quick --case "));
  EXPECT_THAT(text.out, HasSubstr("Open(\"" + ::testing::TempDir() +
                                  "check backend's \\377 directory/Mock_Mutants_backend.so\")"));
  std::vector<std::string> machine = arguments;
  machine.push_back("--format=json");
  const CommandResult result = CheckWith(machine, WithMistake("PadsSwapped"));
  EXPECT_EQ(result.exit_code, 1);
  const Json rule = FindRule(Json::parse(result.out), "BC0301");
  EXPECT_THAT(rule["findings"][0]["repeat"].get<std::string>(), StartsWith(quoted));
  std::filesystem::remove_all(directory);
}

TEST(CheckBackendUsage, RepeatsOneCase) {
  const CommandSettings settings = WithMistake("PadsSwapped");
  const std::vector<std::string> arguments = {GetMutants(), "--rule", "BC0301", "--quick",
                                              "--format=json"};
  const Json all = FindRule(Json::parse(CheckWith(arguments, settings).out), "BC0301");
  const Json first = all["findings"][0];
  std::vector<std::string> again = arguments;
  again.insert(again.end(), {"--case", first["case"].dump()});
  const CommandResult repeated = CheckWith(again, settings);
  EXPECT_EQ(repeated.exit_code, 1);
  const Json rule = FindRule(Json::parse(repeated.out), "BC0301");
  EXPECT_EQ(rule["num_cases"], 1);
  ASSERT_EQ(rule["findings"].size(), 1U);
  EXPECT_EQ(rule["findings"][0], first);
  const CommandResult kept = CheckWith(again);
  EXPECT_EQ(kept.exit_code, 0);
}

TEST(CheckBackendUsage, WritesTheSameWithTheSameSeed) {
  const auto check = [](const char* seed) {
    const CommandResult result =
        CheckWith({GetMutants(), "--rule", "BC0902", "--quick", "--seed", seed, "--format=json"},
                  WithMistake("ForeignTensorsMisread"));
    return FindRule(Json::parse(result.out), "BC0902")["findings"];
  };
  EXPECT_EQ(check("3"), check("3"));
  EXPECT_NE(check("3"), check("4"));
}

TEST(CheckBackendUsage, WritesJsonAsPublished) {
  const CommandResult broken =
      CheckWith({GetMutants(), "--rule", "BC0301", "--quick", "--format", "json"},
                WithMistake("PadsSwapped"));
  const Json report = Json::parse(broken.out);
  EXPECT_EQ(report["schema"], 1);
  EXPECT_EQ(report["verdict"], "broken");
  EXPECT_EQ(report["backend"]["id"], "MockMutants");
  const Json rule = FindRule(report, "BC0301");
  EXPECT_EQ(rule["family"], "answers");
  EXPECT_THAT(rule["code"].get<std::string>(), HasSubstr("ConvolutionDescriptor"));
  EXPECT_THAT(JoinFindings(rule), HasSubstr(kWords));
  const CommandResult absent = CheckWith({"/nowhere/a_b_backend.so", "--format", "json"});
  EXPECT_EQ(Json::parse(absent.out)["verdict"], "not checked");
}

/// A program that ends with 0 when its input is XML.
constexpr char kReadXml[] =
    "import sys, xml.dom.minidom as m\n"
    "suite = m.parse(sys.argv[1]).documentElement\n"
    "cases = suite.getElementsByTagName('testcase')\n"
    "print(suite.tagName, suite.getAttribute('tests'), len(cases),\n"
    "      suite.getAttribute('failures'), len(suite.getElementsByTagName('failure')) > 0)\n";

TEST(CheckBackendUsage, WritesJunitThatCanBeRead) {
  const CommandResult result = CheckWith(
      {GetMutants(), "--rule", "file", "--rule", "BC0301", "--quick", "--format", "junit"},
      WithMistake("PadsSwapped"));
  EXPECT_EQ(result.exit_code, 1);
  const std::string path = ::testing::TempDir() + "check_backend_junit.xml";
  std::ofstream(path) << result.out;
  const CommandResult read = RunCommand(BACKPLANE_PYTHON, {"-B", "-c", kReadXml, path});
  EXPECT_EQ(read.exit_code, 0) << read.err;
  EXPECT_THAT(read.out, ::testing::MatchesRegex("testsuite ([0-9]+) [0-9]+ 1 True\n"));
  std::remove(path.c_str());
}

TEST(CheckBackendUsage, SaysThatResultsCouldNotBeWritten) {
  CommandSettings settings;
  settings.out_file = "/dev/full";
  const CommandResult result = CheckWith({GetMutants(), "--rule", "BC0101"}, settings);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
}

}  // namespace
}  // namespace backplane::test
