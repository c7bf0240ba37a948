#include <backplane/onnx/tensor_file.hpp>

#include "model_builder.hpp"

#include <gtest/gtest.h>

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
