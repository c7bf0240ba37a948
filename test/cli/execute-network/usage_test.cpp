/// How execute-network is called, and how it refuses.

#include "build_tree.hpp"
#include "execute_network_fixture.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

TEST_F(ExecuteNetwork, TakesARelativeBackendsPath) {
  const std::string relative = fs::relative(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER)).string();
  const CommandResult result = RunDigits({"--backends-path", relative, "--backends", "CpuRef"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(ExecuteNetwork, SaysWhichBackendsThereAre) {
  ExpectRefusal(RunDigits({"--backends", "CpuRed"}), 2, DiagnosticCode::kBackendNotRegistered,
                {"\"CpuRed\"", "CpuRef", "did you mean \"CpuRef\"?"});
}

TEST_F(ExecuteNetwork, SaysThatThereIsNoBackend) {
  ExpectRefusal(RunDigits({"--disable", "CpuRef", "--backends-path", folder_.GetPath()}), 2,
                DiagnosticCode::kNoBackends, {});
  ExpectRefusal(RunDigits({"--backends-path", "/no/such/folder"}), 2, DiagnosticCode::kNoBackends,
                {"/no/such/folder"});
}

TEST_F(ExecuteNetwork, SuggestsTheNearestModel) {
  ExpectRefusal(Run({kDigits + "/digit.onnx"}), 2, DiagnosticCode::kModelNotFound,
                {"digit.onnx does not exist", "did you mean " + kModel + "?"});
}

TEST_F(ExecuteNetwork, SaysWhatAFileIsThatIsNoModel) {
  ExpectRefusal(Run({EXECUTE_NETWORK}), 2, DiagnosticCode::kNotAModel,
                {"it looks like an ELF program"});
}

TEST_F(ExecuteNetwork, NamesAnOpenDimension) {
  ExpectRefusal(Run({kModel}), 2, DiagnosticCode::kUnknownDimension,
                {"dimension 0 (batch)", "--shape image=1x1x28x28"});
}

TEST_F(ExecuteNetwork, SuggestsTheNearestOption) {
  ExpectRefusal(RunDigits({"--bakends", "CpuRef"}), 64, DiagnosticCode::kUnknownOption,
                {"there is no option --bakends; did you mean --backends?"});
  ExpectRefusal(RunDigits({"--bakends=CpuRef"}), 64, DiagnosticCode::kUnknownOption,
                {"did you mean --backends?"});
}

TEST_F(ExecuteNetwork, SuggestsTheNearestOptionBeforeItMissesTheModel) {
  ExpectRefusal(Run({"--explan"}), 64, DiagnosticCode::kUnknownOption, {"did you mean --explain?"});
}

TEST_F(ExecuteNetwork, OpensOnlyTheBackendsThatTheDigestsAllow) {
  ExpectRefusal(RunDigits({"--digests", "/dev/null/none"}), 2, DiagnosticCode::kNoBackends,
                {"/dev/null/none"});
  ExpectRefusal(RunDigits({"--trust", "nobody"}), 64, DiagnosticCode::kUsageError,
                {"expected owner or strict or off"});
}

TEST_F(ExecuteNetwork, NamesTheChoicesAndTheNearest) {
  const CommandResult result = Run({kModel, "--format", "jsn"});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_EQ(result.err,
            "error BP9001: --format cannot be \"jsn\"; found \"jsn\", expected text or json; did "
            "you mean json?\n");
}

TEST_F(ExecuteNetwork, NamesTheNumbersThatAnOptionTakes) {
  for (const char* text : {"0", "-1", "x", "1.5", "99999999999"}) {
    ExpectRefusal(Run({kModel, "--iterations=" + std::string(text)}), 64,
                  DiagnosticCode::kUsageError,
                  {"--iterations cannot be \"" + std::string(text) + "\"; found ",
                   "expected a whole number from 1 to 4294967295; run"});
  }
  for (const char* text : {"x", "-1", "nan", "inf", "1e-5x"}) {
    ExpectRefusal(Run({kModel, "--atol", text}), 64, DiagnosticCode::kUsageError,
                  {"--atol cannot be \"" + std::string(text) + "\"; found ",
                   "expected a number of at least 0, such as 0.001 or 1e-5; run"});
  }
}

TEST_F(ExecuteNetwork, SaysHowItIsCalled) {
  ExpectRefusal(Run({}), 64, DiagnosticCode::kUsageError,
                {"MODEL is required", "execute-network --help"});
  ExpectRefusal(Run({kModel, kModel}), 64, DiagnosticCode::kUsageError, {"one argument too many"});
  ExpectRefusal(Run({kModel, "--input", "image"}), 64, DiagnosticCode::kUsageError,
                {"found \"image\"; the form is --input NAME=FILE"});
  ExpectRefusal(RunDigits({"--input", "image=" + kTensor}), 64, DiagnosticCode::kUsageError,
                {"--input is given twice for image"});
  ExpectRefusal(Run({kModel, "--shape", "image=1xx28"}), 64, DiagnosticCode::kUsageError,
                {"found \"1xx28\"", "as in 1x3x224x224"});
  for (const char* text : {"conv1", "=CpuRef", "conv1="}) {
    ExpectRefusal(Run({kModel, "--layer-backend", text}), 64, DiagnosticCode::kUsageError,
                  {std::string("found \"") + text + "\"; the form is --layer-backend PATTERN=ID"});
  }
  for (const char* text : {"threads=4", "CpuRef:threads", ":threads=4", "CpuRef:=4"}) {
    ExpectRefusal(Run({kModel, "--option", text}), 64, DiagnosticCode::kUsageError,
                  {std::string("found \"") + text + "\"; the form is --option ID:NAME=VALUE"});
  }
  ExpectRefusal(Run({kModel, "--option", "A:b=1", "--option", "A:b=2"}), 64,
                DiagnosticCode::kUsageError, {"--option is given twice for A:b"});
  ExpectRefusal(Run({kModel, "--concurrency", "0"}), 64, DiagnosticCode::kUsageError,
                {"expected a whole number from 1 to 4294967295"});
}

TEST_F(ExecuteNetwork, RefusesLogLevelsThatDoNotExist) {
  ExpectRefusal(RunDigits({"--log-level", "loud"}), 64, DiagnosticCode::kInvalidLogSpecification,
                {"loud"});
  ExpectRefusal(RunDigits({"--log-file", "/no/such/folder/log"}), 2,
                DiagnosticCode::kLogFileUnwritable, {"/no/such/folder/log"});
}

TEST_F(ExecuteNetwork, LogsToStandardErrorOrToAFile) {
  const CommandResult quiet = RunDigits({});
  EXPECT_EQ(quiet.err, "");
  const CommandResult loud = RunDigits({"--log-level", "trace"});
  EXPECT_EQ(loud.exit_code, 0);
  EXPECT_NE(loud.err, "");
  const std::string file = folder_ / "log";
  EXPECT_EQ(RunDigits({"--log-level", "trace", "--log-file", file}).err, "");
  EXPECT_GT(fs::file_size(file), 0U);
}

TEST_F(ExecuteNetwork, TakesTheLogLevelFromTheEnvironment) {
  const std::vector<std::string> arguments = {kModel, "--input", "image=" + kTensor};
  EXPECT_NE(Run(arguments, {"BACKPLANE_LOG=trace"}).err, "");
  ExpectRefusal(Run(arguments, {"BACKPLANE_LOG=loud"}), 64,
                DiagnosticCode::kInvalidLogSpecification, {"BACKPLANE_LOG is \"loud\""});
  const CommandResult result = Run(arguments, {"BACKPLANE_LOG=zzzzzzzz"});
  ExpectContains(result.err, "set for example BACKPLANE_LOG=");
  EXPECT_EQ(result.err.find("--log-level"), std::string::npos) << result.err;
}

TEST_F(ExecuteNetwork, PrintsHelpAndVersion) {
  const CommandResult help = Run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  ExpectGolden("execute_network_help", help.out);
  const CommandResult version = Run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  ExpectContains(version.out, "execute-network ");
  ExpectContains(version.out, "\nBackend API 1.");
}

}  // namespace
}  // namespace backplane::test
