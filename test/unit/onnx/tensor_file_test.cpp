#include <backplane/onnx/tensor_file.hpp>

#include "model_builder.hpp"

#include <gtest/gtest.h>
#include <onnx/onnx-data_pb.h>

#include <memory>

namespace backplane::onnx::test {
namespace {

TEST(TensorFile, ReadsWhatItWrote) {
  const TemporaryDirectory folder;
  const std::string path = folder.GetPath() + "/t.pb";
  const NamedTensor tensor{"name", {{3}, DataType::kUInt8}, {1, 2, 3}};
  WriteTensorFile(path, tensor);
  const NamedTensor again = ReadTensorFile(path);
  EXPECT_EQ(again.name, "name");
  EXPECT_EQ(again.info, tensor.info);
  EXPECT_EQ(again.data, tensor.data);
}

TEST(TensorFile, NamesAPathThatCannotBeWritten) {
  const Diagnostic error = Catch([] { WriteTensorFile("/no/such/folder/t.pb", {}); });
  EXPECT_EQ(error.code, DiagnosticCode::kOutputUnwritable);
  EXPECT_EQ(error.what, "/no/such/folder/t.pb cannot be written");
  EXPECT_EQ(error.why, "No such file or directory");
}

TEST(TensorFile, SaysWhatAnotherFileLooksLike) {
  const TemporaryDirectory folder;
  const Diagnostic error = Catch([&] { ReadTensorFile(folder.Write("t.pb", "some words\n")); });
  EXPECT_EQ(error.code, DiagnosticCode::kTensorFileUnreadable);
  EXPECT_EQ(error.why, "it looks like text");
}

TEST(TensorFile, SuggestsTheNearestNameForAMissingFile) {
  const TemporaryDirectory folder;
  const std::string path = folder.Write("input_0.pb", "");
  const Diagnostic error = Catch([&] { ReadTensorFile(folder.GetPath() + "/imput_0.pb"); });
  EXPECT_EQ(error.code, DiagnosticCode::kTensorFileUnreadable);
  EXPECT_EQ(error.fix, "did you mean " + path + "?");
}

/// A tensor of one float32, with its data in either of two fields.
std::string MakeScalar(bool has_raw_data) {
  ::onnx::TensorProto proto;
  proto.set_data_type(::onnx::TensorProto::FLOAT);
  if (has_raw_data) proto.set_raw_data("abcd");
  if (!has_raw_data) proto.add_float_data(1);
  return proto.SerializeAsString();
}

TEST(ValueFile, IsReadAsItWasWritten) {
  const TemporaryDirectory folder;
  const std::string path = folder.GetPath() + "/v.pb";
  const auto bytes = std::make_shared<std::vector<unsigned char>>(3, 7);
  const StageValue tensor = MakeStageTensor({{3}, DataType::kUInt8}, {bytes, bytes->data()});
  const StageValue sequence = MakeStageSequence({tensor, tensor});
  const auto read_again = [&](const StageValue& value, const ValueForm& form) {
    WriteValueFile(path, "v", value, form);
    return ReadValueFile(path, form);
  };
  EXPECT_EQ(read_again(tensor, {}).info, tensor.info);
  EXPECT_EQ(read_again(tensor, {false, true}).info, tensor.info);
  EXPECT_EQ(read_again({}, {false, true}).kind, StageValue::Kind::kNone);
  EXPECT_EQ(read_again({}, {true, true}).kind, StageValue::Kind::kNone);
  EXPECT_EQ(read_again(MakeStageSequence({}), {true, false}).kind, StageValue::Kind::kSequence);
  EXPECT_EQ(read_again(MakeStageSequence({}), {true, true}).kind, StageValue::Kind::kSequence);
  for (const bool is_optional : {false, true}) {
    const StageValue again = read_again(sequence, {true, is_optional});
    ASSERT_EQ(again.elements.size(), 2U);
    EXPECT_EQ(*static_cast<const unsigned char*>(again.elements[1].data.get()), 7);
  }
}

TEST(ValueFile, HasATensorInPlaceOfAnOptional) {
  const TemporaryDirectory folder;
  for (const bool has_raw_data : {false, true}) {
    const std::string path = folder.Write("t.pb", MakeScalar(has_raw_data));
    EXPECT_EQ(ReadValueFile(path, {false, true}).kind, StageValue::Kind::kTensor) << has_raw_data;
    EXPECT_EQ(Catch([&] {
                ReadValueFile(path, {true, false});
              }).code,
              DiagnosticCode::kTensorFileUnreadable);
    EXPECT_EQ(Catch([&] {
                ReadValueFile(path, {true, true});
              }).code,
              DiagnosticCode::kTensorFileUnreadable);
  }
}

TEST(ValueFile, IsNoTensorWhenItIsASequence) {
  const TemporaryDirectory folder;
  ::onnx::SequenceProto sequence;
  sequence.set_elem_type(::onnx::SequenceProto::TENSOR);
  for (int i = 0; i < 3; ++i) sequence.add_tensor_values()->ParseFromString(MakeScalar(true));
  const std::string path = folder.Write("s.pb", sequence.SerializeAsString());
  EXPECT_EQ(ReadValueFile(path, {true, true}).elements.size(), 3U);
  EXPECT_EQ(Catch([&] {
              ReadValueFile(path, {false, true});
            }).code,
            DiagnosticCode::kTensorFileUnreadable);
}

TEST(TensorFile, CarriesTheNameOfTheFileWhenTheDataDoesNotFit) {
  const TemporaryDirectory folder;
  auto proto = MakeFloats("x", {3}, {1});
  const std::string path = folder.Write("t.pb", proto.SerializeAsString());
  const Diagnostic error = Catch([&] { ReadTensorFile(path); });
  EXPECT_EQ(error.code, DiagnosticCode::kTensorFileUnreadable);
  EXPECT_TRUE(Contains(error.what, path)) << error.what;
  EXPECT_EQ(error.why, "it has 1 values of data; 3 float32 needs 3");
}

}  // namespace
}  // namespace backplane::onnx::test
