#include "files/external_data.hpp"

#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace backplane::onnx::test {
namespace {

namespace fs = std::filesystem;

// y = x + w, where the two elements of w lie in another file.
class ExternalDataTest : public testing::Test {
 protected:
  ExternalDataTest() {
    fs::create_directories(fs::path(folder_.GetPath()) / "model");
    builder_.Input("x", {2}).Output("y").Node("Add", {"x", "w"}, {"y"});
    auto& tensor = *builder_.GetProto().mutable_graph()->add_initializer();
    tensor.set_name("w");
    tensor.set_data_type(::onnx::TensorProto::FLOAT);
    tensor.add_dims(2);
    tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
  }

  void State(const std::string& key, const std::string& value) {
    auto& entry = *builder_.GetProto().mutable_graph()->mutable_initializer(0)->add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }

  std::string WriteModel() {
    return folder_.Write("model/m.onnx", builder_.GetProto().SerializeAsString());
  }

  static std::string MakeBytes(const std::vector<float>& values) {
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }

  Diagnostic ImportError() {
    const std::string path = WriteModel();
    return Catch([&] { ImportModel(path); });
  }

  TemporaryDirectory folder_;
  ModelBuilder builder_;
};

TEST_F(ExternalDataTest, LiesBesideTheModel) {
  folder_.Write("model/w.bin", MakeBytes({7, 1, 2, 9}));
  State("location", "w.bin");
  State("offset", "4");
  State("length", "8");
  const ImportedModel imported = ImportModel(WriteModel());
  EXPECT_EQ(imported.network->GetNumOperators(), 1U);
}

TEST_F(ExternalDataTest, GoesToTheEndOfTheFileWithoutALength) {
  folder_.Write("model/w.bin", MakeBytes({7, 1, 2}));
  State("location", "w.bin");
  State("offset", "4");
  EXPECT_NO_THROW(ImportModel(WriteModel()));
}

TEST_F(ExternalDataTest, IsRefusedWhenTheFileIsShorter) {
  folder_.Write("model/w.bin", MakeBytes({1}));
  State("location", "w.bin");
  State("length", "8");
  const Diagnostic error = ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.why, "w.bin has 4 bytes; those from 0 on, 8 in number")) << error.why;
}

TEST_F(ExternalDataTest, IsRefusedWithALengthThatTheShapeDoesNotHave) {
  folder_.Write("model/w.bin", MakeBytes({1, 2, 3}));
  State("location", "w.bin");
  const Diagnostic error = ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.why, "it has 12 bytes of data in ")) << error.why;
}

// The checker of ONNX refuses some of these before the importer does.
TEST_F(ExternalDataTest, StaysInTheFolderOfTheModel) {
  folder_.Write("w.bin", MakeBytes({1, 2}));
  State("location", "../w.bin");
  EXPECT_EQ(ImportError().code, DiagnosticCode::kInvalidModel);
}

TEST_F(ExternalDataTest, IsNeitherAFolderNorAPipeNorAbsent) {
  WriteModel();
  ExternalData data((fs::path(folder_.GetPath()) / "model/m.onnx").string());
  EXPECT_THROW(data.Read({"absent.bin", 0, {}}, 8), std::runtime_error);
  EXPECT_THROW(data.Read({".", 0, {}}, 8), std::runtime_error);
  EXPECT_THROW(data.Read({"", 0, {}}, 8), std::runtime_error);
}

TEST_F(ExternalDataTest, DoesNotFollowLinksOutOfTheFolder) {
  const std::string secret = folder_.Write("w.bin", MakeBytes({1, 2}));
  const fs::path model = WriteModel();
  fs::create_symlink(secret, model.parent_path() / "link.bin");
  fs::create_directory_symlink(folder_.GetPath(), model.parent_path() / "up");
  ExternalData data(model.string());
  EXPECT_THROW(data.Read({"link.bin", 0, {}}, 8), std::runtime_error);
  EXPECT_THROW(data.Read({"up/w.bin", 0, {}}, 8), std::runtime_error);
  EXPECT_THROW(data.Read({"../w.bin", 0, {}}, 8), std::runtime_error);
  EXPECT_THROW(data.Read({secret, 0, {}}, 8), std::runtime_error);
}

TEST_F(ExternalDataTest, IsReadOnce) {
  folder_.Write("model/w.bin", MakeBytes({1, 2}));
  ExternalData data(WriteModel());
  const auto first = data.Read({"w.bin", 0, 8}, 8);
  EXPECT_EQ(data.Read({"w.bin", 0, {}}, 8), first);
}

// The file is replaced by renaming, as that of a library that is in use.
TEST_F(ExternalDataTest, OfALargeTensorStaysInTheFileThatWasRead) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  const std::string path = folder_.Write("model/w.bin", std::string(kBytes + 16, '1'));
  ExternalData data(WriteModel());
  for (const std::uint64_t offset : {16, 8}) {
    const auto bytes = data.Read({"w.bin", offset, kBytes}, kBytes);
    fs::rename(folder_.Write("model/new.bin", std::string(kBytes + 16, '2')), path);
    EXPECT_EQ(std::string(static_cast<const char*>(bytes.get()), kBytes),
              std::string(kBytes, offset == 16 ? '1' : '2'));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.get()) % alignof(std::max_align_t), 0U);
  }
}

// A small file could stand for any amount of memory.
TEST_F(ExternalDataTest, IsRefusedWhenItsPartsLieOverOneAnother) {
  folder_.Write("model/w.bin", MakeBytes({7, 1, 2, 9}));
  State("location", "w.bin");
  State("length", "8");
  auto& graph = *builder_.GetProto().mutable_graph();
  for (int offset = 1; offset <= 8; ++offset) {
    *graph.add_initializer() = graph.initializer(0);
    auto& tensor = *graph.mutable_initializer(offset);
    tensor.set_name("w" + std::to_string(offset));
    auto& entry = *tensor.add_external_data();
    entry.set_key("offset");
    entry.set_value(std::to_string(offset));
  }
  EXPECT_TRUE(Contains(ImportError().why, "have more than twice as many")) << ImportError().why;
}

TEST_F(ExternalDataTest, OfAbsurdSizeTakesNoMemory) {
  folder_.Write("model/w.bin", MakeBytes({1, 2}));
  State("location", "w.bin");
  State("length", "8");
  State("offset", "18446744073709551615");
  EXPECT_EQ(ImportError().code, DiagnosticCode::kInvalidModel);
}

}  // namespace
}  // namespace backplane::onnx::test
