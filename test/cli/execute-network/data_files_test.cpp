/// The files that data is read from and written to, and constants.

#include "execute_network_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A .npy file with the data of a tensor file.
std::string MakeNpy(const std::string& tensor_file, const std::string& shape) {
  const onnx::NamedTensor tensor = onnx::ReadTensorFile(tensor_file);
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize(118, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
         std::string(tensor.data.begin(), tensor.data.end());
}

TEST_F(ExecuteNetwork, ReadsAndComparesArrays) {
  const std::string input = folder_.Write("in.npy", MakeNpy(kTensor, "1, 1, 28, 28"));
  const std::string expected = folder_.Write("out.npy", MakeNpy(kExpected, "1, 10"));
  const CommandResult result =
      Run({kModel, "--input", "image=" + input, "--expect", "scores=" + expected});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, input);
  ExpectContains(result.out, "ok: 1 output compared, all agree\n");
}

TEST_F(ExecuteNetwork, WritesArraysThatItReads) {
  const std::string out = folder_ / "out";
  ASSERT_EQ(RunDigits({"--output-dir", out, "--output-format", "npy"}).exit_code, 0);
  EXPECT_EQ(ReadFile(out + "/output_0.npy").substr(0, 6), "\x93NUMPY");
  EXPECT_FALSE(fs::exists(out + "/output_0.pb"));
  const CommandResult again = RunDigits({"--expect", "scores=" + out + "/output_0.npy", "--atol",
                                         "0", "--rtol", "0", "--tolerance-of-max", "0"});
  EXPECT_EQ(again.exit_code, 0) << again.out;
}

TEST_F(ExecuteNetwork, ReadsArraysInTestData) {
  folder_.Write("input_0.npy", MakeNpy(kTensor, "1, 1, 28, 28"));
  fs::copy_file(kExpected, folder_ / "output_0.pb");
  const CommandResult result = Run({kModel, "--test-data", folder_.GetPath()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "ok: 1 output compared, all agree\n");
  fs::copy_file(kTensor, folder_ / "input_0.pb");
  ExpectRefusal(Run({kModel, "--test-data", folder_.GetPath()}), 2,
                DiagnosticCode::kTensorFileUnreadable,
                {"both input_0.pb and input_0.npy are there"});
}

TEST_F(ExecuteNetwork, SaysWhatIsWrongWithAnArray) {
  const std::string cut = folder_.Write("cut.npy", MakeNpy(kTensor, "1, 1, 28, 28").substr(0, 200));
  ExpectRefusal(Run({kModel, "--input", "image=" + cut}), 2, DiagnosticCode::kTensorFileUnreadable,
                {cut + " cannot be read", "72 bytes of data; 1x1x28x28 float32 needs 3136"});
  const std::string text = folder_.Write("text.npy", "hello\n");
  ExpectRefusal(Run({kModel, "--input", "image=" + text}), 2, DiagnosticCode::kTensorFileUnreadable,
                {"it is no NumPy array"});
  ExpectRefusal(Run({kModel, "--input", "image=" + (folder_ / "none.npy")}), 2,
                DiagnosticCode::kTensorFileUnreadable, {"none.npy does not exist"});
}

TEST_F(ExecuteNetwork, KeepsAConstantInTheNetwork) {
  const std::vector<std::string> arguments = {kModel, "--test-data", kDigits + "/test_data_set_0",
                                              "--constant"};
  for (const std::string& constant : {std::string("image"), "image=" + kTensor}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {constant, "--format", "json"});
    const CommandResult result = Run(all);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json.at("inputs").at(0).at("name"), "image");
    EXPECT_EQ(json.at("inputs").at(0).at("constant"), true);
    EXPECT_TRUE(json.at("memory_use").at("inputs").empty());
    EXPECT_EQ(json.at("outputs").at(0).at("ok"), true);
  }
}

TEST_F(ExecuteNetwork, TakesAConstantFromEachDataSet) {
  const CommandResult result = Run({kModel, "--test-data", kDigits, "--constant", "image"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "image 1x1x28x28 float32, constant, ");
  ExpectContains(result.out, "ok: 2 outputs compared, all agree\n");
}

TEST_F(ExecuteNetwork, NamesWhatIsWrongWithAConstant) {
  ExpectRefusal(Run({kModel, "--constant", "imaeg=" + kTensor}), 2, DiagnosticCode::kWrongInput,
                {"the model has no input \"imaeg\"", "did you mean image?"});
  ExpectRefusal(Run({kModel, "--constant", "image"}), 2, DiagnosticCode::kWrongInput,
                {"the constant image has no data", "--constant image=FILE, or --test-data"});
  ExpectRefusal(RunDigits({"--constant", "image=" + kTensor}), 2, DiagnosticCode::kWrongInput,
                {"the input image has data twice"});
  ExpectRefusal(Run({kModel, "--constant", "image="}), 64, DiagnosticCode::kUsageError,
                {"found \"image=\"; the form is --constant NAME=FILE"});
  const std::string wrong = WriteTensor("wrong.pb", {{1, 1, 28, 28}, DataType::kInt8});
  ExpectRefusal(Run({kModel, "--constant", "image=" + wrong}), 2, DiagnosticCode::kWrongInput,
                {wrong + " has int8, the model expects float32"});
}

}  // namespace
}  // namespace backplane::test
