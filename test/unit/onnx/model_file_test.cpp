#include "files/model_file.hpp"

#include "files/file_kind.hpp"
#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace backplane::onnx::test {
namespace {

Diagnostic ReadError(const std::string& path) {
  return Catch([&] { ReadModelFile(path); });
}

std::string MakeModelFileModelBytes() {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y").Node("Relu", {"x"}, {"y"});
  return builder.GetProto().SerializeAsString();
}

TEST(ModelFile, SuggestsTheNearestNameForAMissingFile) {
  const TemporaryDirectory folder;
  const std::string path = folder.Write("squeezenet.onnx", "");
  const Diagnostic error = ReadError(folder.GetPath() + "/squeezent.onnx");
  EXPECT_EQ(error.code, DiagnosticCode::kModelNotFound);
  EXPECT_TRUE(Contains(error.what, "squeezent.onnx does not exist")) << error.what;
  EXPECT_EQ(error.fix, "did you mean " + path + "?");
}

TEST(ModelFile, NamesAMissingFolder) {
  const Diagnostic error = ReadError("/no/such/folder/m.onnx");
  EXPECT_EQ(error.code, DiagnosticCode::kModelNotFound);
  EXPECT_EQ(error.why, "there is no folder /no/such/folder");
}

TEST(ModelFile, RefusesADirectory) {
  const TemporaryDirectory folder;
  const Diagnostic error = ReadError(folder.GetPath());
  EXPECT_EQ(error.code, DiagnosticCode::kModelNotFound);
  EXPECT_EQ(error.why, "it is a directory");
}

TEST(ModelFile, DoesNotWaitForAPipe) {
  const TemporaryDirectory folder;
  const std::string path = folder.GetPath() + "/pipe.onnx";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(ReadError(path).why, "it is not a regular file");
}

TEST(ModelFile, SaysThatAFileIsEmpty) {
  const TemporaryDirectory folder;
  const Diagnostic error = ReadError(folder.Write("m.onnx", ""));
  EXPECT_EQ(error.code, DiagnosticCode::kNotAModel);
  EXPECT_EQ(error.why, "the file is empty");
}

TEST(ModelFile, SaysWhatAnotherFileLooksLike) {
  const TemporaryDirectory folder;
  const Diagnostic error = ReadError(folder.Write("m.onnx", "\x89PNG\r\n\x1A\n0000"));
  EXPECT_EQ(error.code, DiagnosticCode::kNotAModel);
  EXPECT_EQ(error.why, "it looks like a PNG image");
}

// It is a message as a model is, but states no version that ONNX has.
TEST(ModelFile, TakesNoFileForAModelWhoseVersionIsNotPositive) {
  const TemporaryDirectory folder;
  ::onnx::ModelProto model;
  model.set_ir_version(0);
  model.set_producer_name("text");
  const Diagnostic error = ReadError(folder.Write("m.onnx", model.SerializeAsString()));
  EXPECT_EQ(error.code, DiagnosticCode::kNotAModel);
  EXPECT_EQ(error.why.rfind("it looks like ", 0), 0U) << error.why;
}

TEST(ModelFile, RecognisesATruncatedModel) {
  const TemporaryDirectory folder;
  const std::string bytes = MakeModelFileModelBytes();
  const Diagnostic error = ReadError(folder.Write("m.onnx", bytes.substr(0, bytes.size() - 3)));
  EXPECT_EQ(error.code, DiagnosticCode::kNotAModel);
  EXPECT_TRUE(Contains(error.why, "truncated or damaged")) << error.why;
}

// So many graphs, each the branch of an If of the one around it, without recursion.
std::string NestGraphs(std::uint32_t count) {
  const auto wrap = [](char field, const std::string& content) {
    std::string bytes(1, static_cast<char>(field << 3 | 2));
    std::size_t size = content.size();
    for (; size >= 0x80; size >>= 7U) bytes += static_cast<char>(size | 0x80U);
    return bytes + static_cast<char>(size) + content;
  };
  std::string graph;
  for (std::uint32_t i = 0; i < count; ++i) {
    graph = i == 0 ? wrap(2, "g") : wrap(1, wrap(5, wrap(6, graph)));
  }
  return std::string("\x08\x08", 2) + wrap(7, graph);
}

TEST(ModelFile, SaysWhenGraphsLieTooDeepInEachOther) {
  const TemporaryDirectory folder;
  EXPECT_NO_THROW(ReadModelFile(folder.Write("m.onnx", NestGraphs(64))));
  for (const std::uint32_t count : {80U, 200U, 20000U}) {
    const Diagnostic error = ReadError(folder.Write("m.onnx", NestGraphs(count)));
    EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
    EXPECT_TRUE(Contains(error.why, "found " + std::to_string(count) + ", each")) << error.why;
    EXPECT_TRUE(Contains(error.why, "at most 64")) << error.why;
  }
}

TEST(ModelFile, RecognisesATruncatedModelWithGraphsInEachOther) {
  const TemporaryDirectory folder;
  const std::string bytes = NestGraphs(60);
  const Diagnostic error = ReadError(folder.Write("m.onnx", bytes.substr(0, bytes.size() - 3)));
  EXPECT_EQ(error.code, DiagnosticCode::kNotAModel);
}

TEST(ModelFile, RecognisesATensor) {
  const TemporaryDirectory folder;
  const std::string bytes = MakeFloats("x", {2}, {1, 2}).SerializeAsString();
  const Diagnostic error = ReadError(folder.Write("input_0.pb", bytes));
  EXPECT_EQ(error.code, DiagnosticCode::kNotAModel);
  EXPECT_EQ(error.why, "it looks like an ONNX tensor");
}

TEST(FileKind, KnowsWhatUsersMixUp) {
  EXPECT_EQ(DescribeFileKind("\x7F"
                             "ELF\x02"),
            "an ELF program or library");
  EXPECT_TRUE(Contains(DescribeFileKind("version https://git-lfs.github.com/spec/v1"), "Git LFS"));
  EXPECT_TRUE(Contains(DescribeFileKind("PK\x03\x04zip"), "PyTorch"));
  EXPECT_EQ(DescribeFileKind(std::string("\x1C\0\0\0TFL3", 8)), "a TensorFlow Lite model");
  EXPECT_EQ(DescribeFileKind("hello\n"), "text");
  EXPECT_EQ(DescribeFileKind(std::string("\x01\x02\x00", 3)), "binary data of no known kind");
}

}  // namespace
}  // namespace backplane::onnx::test
