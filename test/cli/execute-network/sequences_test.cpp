/// execute-network with sequences as inputs and outputs: in files, beside what is expected,
/// written.

#include "execute_network_fixture.hpp"
#include "relu_model.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

constexpr int kTensorField = 3;    // of a SequenceProto
constexpr int kSequenceField = 5;  // of an OptionalProto

std::string MakeSequenceType(const std::string& name) {
  const std::string tensor_type = MakeField(1, MakeNumber(1, 1));
  return MakeField(1, name) + MakeField(2, MakeField(4, MakeField(1, tensor_type)));
}

std::string MakeTensorType(const std::string& name, char data_type) {
  const std::string tensor_type = MakeNumber(1, data_type) + MakeField(2, "");
  return MakeField(1, name) + MakeField(2, MakeField(1, tensor_type));
}

/// many -> SequenceErase(many, place) -> fewer.
std::string MakeEraseModel() {
  const std::string node = MakeField(1, "many") + MakeField(1, "place") + MakeField(2, "fewer") +
                           MakeField(3, "erase") + MakeField(4, "SequenceErase");
  const std::string graph =
      MakeField(1, node) + MakeField(2, "erase") + MakeField(11, MakeSequenceType("many")) +
      MakeField(11, MakeTensorType("place", 7)) + MakeField(12, MakeSequenceType("fewer"));
  return MakeNumber(1, 8) + MakeField(7, graph) + MakeField(8, MakeNumber(2, 13));
}

class Sequences : public ExecuteNetwork {
 protected:
  Sequences() {
    folder_.Write("erase.onnx", MakeEraseModel());
    folder_.Write("many.pb", MakeSequence({1, 2, 3}));
    WritePlace(1);
  }

  void WritePlace(std::int64_t place) const {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&place);
    onnx::WriteTensorFile(folder_ / "place.pb",
                          {"place", {TensorShape(), DataType::kInt64}, {bytes, bytes + 8}});
  }

  /// Of tensors of one float each.
  std::string MakeSequence(const std::vector<float>& numbers) const {
    std::string sequence = MakeNumber(2, 1);
    for (const float number : numbers) {
      const auto* const bytes = reinterpret_cast<const unsigned char*>(&number);
      onnx::WriteTensorFile(folder_ / "element.pb",
                            {"", {{1}, DataType::kFloat32}, {bytes, bytes + sizeof(number)}});
      std::ifstream stream(folder_ / "element.pb", std::ios::binary);
      sequence += MakeField(kTensorField, {std::istreambuf_iterator<char>(stream), {}});
    }
    return sequence;
  }

  CommandResult RunErase(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {folder_ / "erase.onnx", "--backends", "CpuRef"});
    return Run(arguments);
  }

  CommandResult RunWithData(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--input", "many=" + (folder_ / "many.pb"), "--input",
                                         "place=" + (folder_ / "place.pb")});
    return RunErase(arguments);
  }
};

TEST_F(Sequences, AreComparedAsWholes) {
  const auto expect = [&](const std::vector<float>& numbers) {
    return "fewer=" + folder_.Write("expected.pb", MakeSequence(numbers));
  };
  CommandResult result = RunWithData({"--expect", expect({1, 3})});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  ExpectContains(result.out, "fewer[1]");
  result = RunWithData({"--expect", expect({1, 2})});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  result = RunWithData({"--expect", expect({1, 3, 5})});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  ExpectContains(result.out, "nothing is there; expected a tensor");
  result = RunWithData({"--expect", expect({1})});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  ExpectContains(result.out, "it is there; expected nothing");
}

TEST_F(Sequences, AreWrittenAsTheyAreRead) {
  CommandResult result = RunWithData({"--output-dir", folder_ / "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  result = RunErase({"--input", "many=" + (folder_ / "out/output_0.pb"), "--input",
                     "place=" + (folder_ / "place.pb"), "--expect",
                     "fewer=" + folder_.Write("expected.pb", MakeSequence({1}))});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  ExpectContains(result.out, "1 output compared, all agree");
}

TEST_F(Sequences, AreWrittenAsArraysTensorByTensor) {
  const CommandResult result =
      RunWithData({"--output-dir", folder_ / "out", "--output-format", "npy"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/output_0_1.npy"));
  EXPECT_FALSE(fs::exists(folder_ / "out/output_0_2.npy"));
}

TEST_F(Sequences, OfDataSetsAreRead) {
  const std::string set = folder_ / "test_data_set_0";
  fs::create_directory(set);
  folder_.Write("test_data_set_0/input_0.pb", MakeSequence({1, 2, 3}));
  folder_.Write("test_data_set_0/output_0.pb", MakeSequence({1, 3}));
  fs::copy(folder_ / "place.pb", set + "/input_1.pb");
  const CommandResult result = RunErase({"--test-data", folder_.GetPath(), "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("inputs").at(2).at("name"), "many[2]");
  EXPECT_EQ(json.at("outputs").size(), 2U);
}

TEST_F(Sequences, WithoutTensorsAreNamed) {
  folder_.Write("many.pb", MakeSequence({1}));
  WritePlace(0);
  CommandResult result = RunWithData({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "fewer has no tensors");
  result = RunWithData({"--format", "json"});
  const auto empty = nlohmann::json::parse(result.out).at("empty_outputs").at(0);
  EXPECT_EQ(empty.at("name"), "fewer");
  EXPECT_EQ(empty.at("expected"), false);
}

TEST_F(Sequences, WithoutTensorsAreCompared) {
  folder_.Write("many.pb", MakeSequence({1}));
  WritePlace(0);
  CommandResult result =
      RunWithData({"--expect", "fewer=" + folder_.Write("expected.pb", MakeSequence({}))});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  ExpectContains(result.out, "fewer has no tensors, as expected");
  ExpectContains(result.out, "1 output compared, all agree");
  result = RunWithData({"--expect", "fewer=" + folder_.Write("expected.pb", MakeSequence({2}))});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  ExpectContains(result.err, "run it on another backend");
}

TEST_F(Sequences, AreNoConstants) {
  ExpectRefusal(RunWithData({"--constant", "many=" + (folder_ / "many.pb")}), 2,
                DiagnosticCode::kWrongInput,
                {"the input many cannot be a constant", "it is a sequence", "--input"});
}

TEST_F(Sequences, InPlaceOfATensorAreNamed) {
  ExpectRefusal(RunErase({"--input", "many=" + (folder_ / "many.pb"), "--input",
                          "place=" + (folder_ / "many.pb")}),
                2, DiagnosticCode::kTensorFileUnreadable,
                {"is not an ONNX tensor", "it looks like a SequenceProto"});
}

TEST_F(Sequences, AreExplained) {
  const CommandResult result = RunWithData({"--explain"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find("layer  type"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("input many: \n"), std::string::npos) << result.out;
}

TEST_F(Sequences, NeedData) {
  const CommandResult result = RunErase({"--input", "place=" + (folder_ / "place.pb")});
  ExpectRefusal(result, 2, DiagnosticCode::kWrongInput,
                {"the input many has no data", "it is a sequence", "--input many=FILE"});
}

TEST_F(Sequences, AreNoSingleTensors) {
  const CommandResult result = RunErase({"--input", "many=" + (folder_ / "place.pb")});
  ExpectRefusal(result, 2, DiagnosticCode::kTensorFileUnreadable,
                {"is not an ONNX SequenceProto", "give a serialised SequenceProto"});
  // Fields have the numbers of a sequence's, too.
  const std::string as_raw = MakeNumber(1, 1) + MakeNumber(2, 1) + MakeField(9, "abcd");
  const std::string as_floats = MakeNumber(2, 1) + MakeField(4, "abcd");
  for (const std::string& tensor : {as_raw, as_floats}) {
    const CommandResult of_floats = RunErase({"--input", "many=" + folder_.Write("t.pb", tensor),
                                              "--input", "place=" + (folder_ / "place.pb")});
    ExpectRefusal(of_floats, 2, DiagnosticCode::kTensorFileUnreadable,
                  {"is not an ONNX SequenceProto"});
  }
}

/// maybe -> OptionalHasElement(maybe) -> is_there.
TEST_F(Sequences, InOptionalsMayBeMissing) {
  const std::string type = MakeField(4, MakeField(1, MakeField(1, MakeNumber(1, 1))));
  const std::string node =
      MakeField(1, "maybe") + MakeField(2, "is_there") + MakeField(4, "OptionalHasElement");
  const std::string graph =
      MakeField(1, node) + MakeField(2, "optional") +
      MakeField(11, MakeField(1, "maybe") + MakeField(2, MakeField(9, MakeField(1, type)))) +
      MakeField(12, MakeTensorType("is_there", 9));
  const std::string model = folder_.Write(
      "optional.onnx", MakeNumber(1, 8) + MakeField(7, graph) + MakeField(8, MakeNumber(2, 15)));
  const auto get = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {model, "--backends", "CpuRef", "--output-dir", folder_ / "out"});
    const CommandResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return onnx::ReadTensorFile(folder_ / "out/output_0.pb").data;
  };
  EXPECT_EQ(get({}), std::vector<unsigned char>{0});
  const std::string nothing = folder_.Write("nothing.pb", MakeNumber(2, 0));
  EXPECT_EQ(get({"--input", "maybe=" + nothing}), std::vector<unsigned char>{0});
  const std::string some =
      folder_.Write("some.pb", MakeNumber(2, 3) + MakeField(kSequenceField, MakeSequence({1})));
  EXPECT_EQ(get({"--input", "maybe=" + some}), std::vector<unsigned char>{1});
  EXPECT_EQ(get({"--input", "maybe=" + (folder_ / "many.pb")}), std::vector<unsigned char>{1});
}

}  // namespace
}  // namespace backplane::test
