/// What execute-network runs on, and what it compares.

#include "execute_network_fixture.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

TEST_F(ExecuteNetwork, RunsAllTestDataSetsOfAFolder) {
  const CommandResult result = Run({kModel, "--test-data", kDigits, "--backends", "CpuRef"});
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
  ExpectRefusal(
      Run({kModel, "--input", "imaeg=" + kTensor}), 2, DiagnosticCode::kWrongInput,
      {"the model has no input \"imaeg\"", "its inputs are image", "did you mean image?"});
  ExpectRefusal(Run({kModel, "--shape", "imaeg=1x1x28x28"}), 2, DiagnosticCode::kWrongInput,
                {"did you mean image?"});
  ExpectRefusal(RunDigits({"--expect", "score=" + kExpected}), 2, DiagnosticCode::kWrongInput,
                {"the model has no output \"score\"", "did you mean scores?"});
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
                {"found neither input_0.pb nor input_0.npy nor folders test_data_set_*"});
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

}  // namespace
}  // namespace backplane::test
