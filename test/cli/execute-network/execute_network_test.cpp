#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/tensor_file.hpp>

#include "run_command.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

const std::string kDigits = BACKPLANE_DIGITS_FOLDER;
const std::string kModel = kDigits + "/digits.onnx";
const std::string kTensor = kDigits + "/test_data_set_0/input_0.pb";
const std::string kExpected = kDigits + "/test_data_set_0/output_0.pb";

class ExecuteNetwork : public testing::Test {
 protected:
  static CommandResult Run(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment = {}) {
    return RunCommand(EXECUTE_NETWORK, arguments, {environment, "", ""});
  }
  /// Runs the digit model on the tensor of its first data set.
  static CommandResult RunDigits(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kModel, "--input", "image=" + kTensor});
    return Run(arguments);
  }

  std::string WriteTensor(const std::string& name, const TensorInfo& info) const {
    const std::string path = folder_ / name;
    onnx::WriteTensorFile(path, {"image", info, std::vector<unsigned char>(info.GetSizeBytes())});
    return path;
  }

  TemporaryDirectory folder_;
};

void ExpectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << text;
}

std::string Headline(DiagnosticCode code) {
  return "error " + GetDiagnosticId(code) + ": ";
}

// A refusal writes nothing to standard output and ends with the right code.
void ExpectRefusal(const CommandResult& result, int exit_code, DiagnosticCode code,
                   const std::vector<std::string>& words) {
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  ExpectContains(result.err, Headline(code));
  for (const std::string& word : words) ExpectContains(result.err, word);
}

TEST_F(ExecuteNetwork, RunsAllTestDataSetsOfAFolder) {
  const CommandResult result = Run({kModel, "--test-data", kDigits});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  ExpectContains(result.out, "backends  CpuRef ");
  ExpectContains(result.out, "test_data_set_0  scores  1x10");
  ExpectContains(result.out, "test_data_set_1  scores  4x10");
  ExpectContains(result.out, "\nok: 2 outputs compared, all agree\n");
}

TEST_F(ExecuteNetwork, RunsOneTestDataSet) {
  const CommandResult result = Run({kModel, "--test-data", kDigits + "/test_data_set_1/"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "test_data_set_1");
  ExpectContains(result.out, "ok: 1 output compared, all agree\n");
}

TEST_F(ExecuteNetwork, ComparesWithExpect) {
  const CommandResult result = RunDigits({"--expect", "scores=" + kExpected});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "ok: 1 output compared, all agree\n");
}

TEST_F(ExecuteNetwork, EndsWithOneWhenOutputsDiffer) {
  const std::string other = WriteTensor("zeros.pb", {{1, 10}, DataType::kFloat32});
  const CommandResult result = RunDigits({"--expect", "scores=" + other});
  EXPECT_EQ(result.exit_code, 1);
  ExpectContains(result.out, "differs: element ");
  ExpectContains(result.out, "differs: 1 output compared, 1 differs\n");
  ExpectContains(result.err, Headline(DiagnosticCode::kResultsDiffer) + "1 of 1 outputs of ");
}

TEST_F(ExecuteNetwork, AllowsWhatTheTolerancesAllow) {
  const std::string other = WriteTensor("zeros.pb", {{1, 10}, DataType::kFloat32});
  const std::string expect = "scores=" + other;
  EXPECT_EQ(RunDigits({"--expect", expect, "--atol", "1.1"}).exit_code, 0);
  EXPECT_EQ(RunDigits({"--expect", expect, "--rtol", "1000"}).exit_code, 1);
  EXPECT_EQ(RunDigits({"--expect", expect, "--tolerance-of-max", "1000"}).exit_code, 1);
}

TEST_F(ExecuteNetwork, ShowsBothShapesOfAnOutputThatDiffers) {
  const std::string other = WriteTensor("zeros.pb", {{1, 9}, DataType::kFloat32});
  const CommandResult result = RunDigits({"--expect", "scores=" + other});
  EXPECT_EQ(result.exit_code, 1);
  ExpectContains(result.out, "it is 1x10 float32, expected 1x9 float32");
}

TEST_F(ExecuteNetwork, MakesSeededValuesAndSaysSo) {
  const CommandResult result = Run({kModel, "--shape", "image=2x1x28x28"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "image 2x1x28x28 float32, seeded values, no data was given");
  ExpectContains(result.out, "ran; nothing to compare with was given\n");
}

TEST_F(ExecuteNetwork, GivesTheSameOutputsForSeededValuesEveryTime) {
  const std::string first = folder_ / "first";
  ASSERT_EQ(Run({kModel, "--shape", "image=1x1x28x28", "--output-dir", first}).exit_code, 0);
  const CommandResult again =
      Run({kModel, "--shape", "image=1x1x28x28", "--expect", "scores=" + first + "/output_0.pb",
           "--atol", "0", "--rtol", "0", "--tolerance-of-max", "0"});
  EXPECT_EQ(again.exit_code, 0) << again.out;
}

TEST_F(ExecuteNetwork, WritesTheOutputsOfEachDataSet) {
  const CommandResult result =
      Run({kModel, "--test-data", kDigits, "--output-dir", folder_ / "new/out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto tensor = onnx::ReadTensorFile(folder_ / "new/out/test_data_set_1/output_0.pb");
  EXPECT_EQ(tensor.name, "scores");
  EXPECT_EQ(tensor.info.shape, (TensorShape{4, 10}));
}

TEST_F(ExecuteNetwork, WritesJson) {
  const CommandResult result = Run(
      {kModel, "--test-data", kDigits, "--iterations", "5", "--warmup", "1", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("model"), kModel);
  EXPECT_EQ(json.at("placement").at(0).at("layer"), "conv1");
  EXPECT_EQ(json.at("placement").at(0).at("type"), "Convolution");
  EXPECT_EQ(json.at("placement").at(0).at("backend"), "CpuRef");
  EXPECT_TRUE(json.at("placement").at(0).at("refusals").is_array());
  EXPECT_EQ(json.at("copies").size(), 2U);
  EXPECT_EQ(json.at("copies").at(0).at("strategy"), "copy");
  EXPECT_EQ(json.at("copies").at(0).at("bytes"), 28 * 28 * 4);
  EXPECT_EQ(json.at("latency_ms").at("iterations"), 5);
  EXPECT_EQ(json.at("latency_ms").at("data_set"), "test_data_set_0");
  ASSERT_EQ(json.at("inputs").size(), 1U);
  EXPECT_EQ(json.at("inputs").at(0).at("source"), kTensor);
  EXPECT_EQ(json.at("inputs").at(0).at("shape"), nlohmann::json({1, 1, 28, 28}));
  for (const char* name : {"min", "median", "mean", "p95"}) {
    EXPECT_GT(json.at("latency_ms").at(name), 0) << name;
  }
  EXPECT_GE(json.at("memory").at("arena_bytes"), json.at("memory").at("lower_bound_bytes"));
  EXPECT_GT(json.at("memory").at("constants_bytes"), 0);
  ASSERT_EQ(json.at("outputs").size(), 2U);
  EXPECT_EQ(json.at("outputs").at(1).at("name"), "scores");
  EXPECT_EQ(json.at("outputs").at(1).at("data_set"), "test_data_set_1");
  EXPECT_EQ(json.at("outputs").at(1).at("shape"), nlohmann::json({4, 10}));
  EXPECT_LT(json.at("outputs").at(1).at("max_abs_error"), 1e-4);
  EXPECT_EQ(json.at("outputs").at(1).at("ok"), true);
}

TEST_F(ExecuteNetwork, WritesNullInJsonForWhatWasNotCompared) {
  const CommandResult result = RunDigits({"--format", "json"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_TRUE(json.at("outputs").at(0).at("ok").is_null());
  EXPECT_TRUE(json.at("outputs").at(0).at("max_abs_error").is_null());
}

TEST_F(ExecuteNetwork, WritesJsonOfWhatKeptItFromRunning) {
  const std::string broken = folder_.Write("broken.onnx", "hello\n");
  for (const std::string& model : {kDigits + "/digit.onnx", broken, kModel}) {
    const CommandResult result = Run({model, "--format", "json"});
    EXPECT_EQ(result.exit_code, 2);
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json.at("schema"), 1);
    EXPECT_EQ(json.at("model"), model);
    ASSERT_EQ(json.at("diagnostics").size(), 1U);
    const auto& diagnostic = json.at("diagnostics").at(0);
    EXPECT_EQ(diagnostic.at("severity"), "error");
    EXPECT_TRUE(diagnostic.at("causes").is_array());
    for (const char* key : {"code", "name", "what", "why", "fix"}) {
      EXPECT_TRUE(diagnostic.at(key).is_string()) << key;
    }
    ExpectContains(result.err, "error " + diagnostic.at("code").get<std::string>() + ": " +
                                   diagnostic.at("what").get<std::string>());
  }
}

TEST_F(ExecuteNetwork, WritesJsonWithTheCausesOfAFailure) {
  const CommandResult result =
      RunDigits({"--backends-path", "/no/such/folder", "--format", "json"});
  EXPECT_EQ(result.exit_code, 2);
  const auto diagnostic = nlohmann::json::parse(result.out).at("diagnostics").at(0);
  EXPECT_EQ(diagnostic.at("code"), GetDiagnosticId(DiagnosticCode::kNoBackends));
  EXPECT_EQ(diagnostic.at("name"), "no-backends");
  ASSERT_FALSE(diagnostic.at("causes").empty());
  EXPECT_EQ(diagnostic.at("causes").at(0).at("name"), "search-path-not-found");
}

TEST_F(ExecuteNetwork, ExplainsEachLayer) {
  const CommandResult result = RunDigits({"--explain"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "conv1");
  ExpectContains(result.out, "FullyConnected");
  ExpectContains(result.out, "refused by");
}

TEST_F(ExecuteNetwork, MeasuresIterations) {
  const CommandResult result = RunDigits({"--iterations", "7", "--warmup", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, " median of 7 runs (min ");
  ExpectContains(RunDigits({}).out, " ms, one run\n");
}

TEST_F(ExecuteNetwork, MeasuresTheFirstDataSetAndComparesAll) {
  const std::vector<std::string> arguments = {kModel, "--test-data", kDigits};
  ExpectContains(Run(arguments).out, " ms, one run of test_data_set_0\n");
  const CommandResult result = Run({kModel, "--test-data", kDigits, "--iterations", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, " median of 3 runs of test_data_set_0 (min ");
  ExpectContains(result.out, "\nok: 2 outputs compared, all agree\n");
}

TEST_F(ExecuteNetwork, WarmsUpOnceUnlessToldOtherwise) {
  ExpectContains(Run({"--help"}).out, "--warmup N=1 ");
}

TEST_F(ExecuteNetwork, TakesARelativeBackendsPath) {
  const std::string relative = fs::relative(BACKPLANE_BACKENDS_FOLDER).string();
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

TEST_F(ExecuteNetwork, NamesFoundAndExpectedShape) {
  const std::string path = WriteTensor("wrong.pb", {{1, 3, 28, 28}, DataType::kFloat32});
  ExpectRefusal(Run({kModel, "--input", "image=" + path}), 2, DiagnosticCode::kWrongInput,
                {"found 1x3x28x28", "expects batchx1x28x28"});
  ExpectRefusal(Run({kModel, "--shape", "image=1x28x28"}), 2, DiagnosticCode::kWrongInput,
                {"found 1x28x28"});
  ExpectRefusal(RunDigits({"--shape", "image=2x1x28x28"}), 2, DiagnosticCode::kWrongInput,
                {"has 1x1x28x28, --shape says 2x1x28x28"});
}

TEST_F(ExecuteNetwork, NamesFoundAndExpectedType) {
  const std::string path = WriteTensor("wrong.pb", {{1, 1, 28, 28}, DataType::kUInt8});
  ExpectRefusal(Run({kModel, "--input", "image=" + path}), 2, DiagnosticCode::kWrongInput,
                {path + " has uint8, the model expects float32"});
}

TEST_F(ExecuteNetwork, SuggestsTheNearestInputAndOutput) {
  ExpectRefusal(Run({kModel, "--input", "imaeg=" + kTensor}), 2, DiagnosticCode::kWrongInput,
                {"the model has no input imaeg", "its inputs are image", "did you mean image?"});
  ExpectRefusal(Run({kModel, "--shape", "imaeg=1x1x28x28"}), 2, DiagnosticCode::kWrongInput,
                {"did you mean image?"});
  ExpectRefusal(RunDigits({"--expect", "score=" + kExpected}), 2, DiagnosticCode::kWrongInput,
                {"the model has no output score", "did you mean scores?"});
}

TEST_F(ExecuteNetwork, NamesFilesThatCannotBeRead) {
  ExpectRefusal(Run({kModel, "--input", "image=" + kDigits + "/none.pb"}), 2,
                DiagnosticCode::kTensorFileUnreadable, {kDigits + "/none.pb does not exist"});
  const std::string text = folder_.Write("text.pb", "hello\n");
  ExpectRefusal(Run({kModel, "--input", "image=" + text}), 2, DiagnosticCode::kTensorFileUnreadable,
                {text + " is not an ONNX tensor; it looks like text"});
}

TEST_F(ExecuteNetwork, SaysWhatIsWrongWithTestData) {
  ExpectRefusal(Run({kModel, "--test-data", "/no/such/folder"}), 2,
                DiagnosticCode::kTensorFileUnreadable,
                {"/no/such/folder has no test data; it does not exist"});
  ExpectRefusal(Run({kModel, "--test-data", kModel}), 2, DiagnosticCode::kTensorFileUnreadable,
                {"it is not a folder"});
  ExpectRefusal(Run({kModel, "--test-data", folder_.GetPath()}), 2,
                DiagnosticCode::kTensorFileUnreadable,
                {"found neither input_0.pb nor folders test_data_set_*"});
  fs::copy_file(kTensor, folder_ / "input_1.pb");
  ExpectRefusal(Run({kModel, "--test-data", folder_.GetPath()}), 2,
                DiagnosticCode::kTensorFileUnreadable,
                {"input_0.pb is missing, but input_1.pb is there"});
}

TEST_F(ExecuteNetwork, RefusesATestDataSetWithoutDataForAnInput) {
  fs::copy_file(kExpected, folder_ / "output_0.pb");
  ExpectRefusal(Run({kModel, "--test-data", folder_.GetPath()}), 2, DiagnosticCode::kWrongInput,
                {"has no data for input image", "found 0 input files"});
}

TEST_F(ExecuteNetwork, RefusesTestDataOfAnotherModel) {
  fs::copy_file(kTensor, folder_ / "input_0.pb");
  fs::copy_file(kExpected, folder_ / "input_1.pb");
  ExpectRefusal(Run({kModel, "--test-data", folder_.GetPath()}), 2, DiagnosticCode::kWrongInput,
                {"input_1.pb belongs to no input of the model"});
}

TEST_F(ExecuteNetwork, NamesAnOutputFolderThatCannotBeMade) {
  const std::string file = folder_.Write("file", "");
  ExpectRefusal(RunDigits({"--output-dir", file + "/out"}), 2, DiagnosticCode::kOutputUnwritable,
                {file + "/out"});
}

TEST_F(ExecuteNetwork, SuggestsTheNearestOption) {
  ExpectRefusal(RunDigits({"--bakends", "CpuRef"}), 64, DiagnosticCode::kUnknownOption,
                {"there is no option --bakends; did you mean --backends?"});
  ExpectRefusal(RunDigits({"--bakends=CpuRef"}), 64, DiagnosticCode::kUnknownOption,
                {"did you mean --backends?"});
}

TEST_F(ExecuteNetwork, HasNoOptionForHintsThatCannotBeGiven) {
  ExpectRefusal(RunDigits({"--strict"}), 64, DiagnosticCode::kUnknownOption, {"--strict"});
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
                {"found \"image\"; the form is --input NAME=FILE.pb"});
  ExpectRefusal(RunDigits({"--input", "image=" + kTensor}), 64, DiagnosticCode::kUsageError,
                {"--input is given twice for image"});
  ExpectRefusal(Run({kModel, "--shape", "image=1xx28"}), 64, DiagnosticCode::kUsageError,
                {"found \"1xx28\"", "as in 1x3x224x224"});
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
  for (const char* word : {"MODEL", "--backends", "--test-data", "BACKPLANE_LOG", "Exit codes"}) {
    ExpectContains(help.out, word);
  }
  const CommandResult version = Run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  ExpectContains(version.out, "execute-network ");
  ExpectContains(version.out, "\nBackend API 1.");
}

TEST_F(ExecuteNetwork, IsColourlessWhereNoTerminalIs) {
  EXPECT_EQ(Run({kModel, "--test-data", kDigits}).out.find('\x1B'), std::string::npos);
}

TEST_F(ExecuteNetwork, IsColouredOnATerminal) {
  const std::vector<std::string> arguments = {kModel, "--test-data", kDigits};
  constexpr unsigned short kWidth = 80;
  const CommandResult result = RunOnTerminal(EXECUTE_NETWORK, arguments, kWidth);
  ExpectContains(result.out, "\x1B[32mok\x1B[0m");
  const CommandResult plain =
      RunOnTerminal(EXECUTE_NETWORK, arguments, kWidth, {{"NO_COLOR=1"}, "", ""});
  EXPECT_EQ(plain.out.find('\x1B'), std::string::npos);
}

TEST_F(ExecuteNetwork, SaysThatItsResultsCannotBeWritten) {
  const CommandResult result =
      RunCommand(EXECUTE_NETWORK, {kModel, "--input", "image=" + kTensor}, {{}, "", "/dev/full"});
  EXPECT_EQ(result.exit_code, 2);
  ExpectContains(result.err, Headline(DiagnosticCode::kOutputUnwritable));
}

}  // namespace
}  // namespace backplane::test
