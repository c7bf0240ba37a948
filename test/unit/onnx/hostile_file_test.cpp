#include "model_builder.hpp"
#include "tensors/tensor_proto.hpp"

#include <gtest/gtest.h>

#include <random>

namespace backplane::onnx::test {
namespace {

std::string MakeHostileFileModelBytes() {
  ModelBuilder builder(12);
  builder.Input("x", {1, 2, 6, 6}).Output("y").Output("z");
  builder.Floats("w", {2, 1, 3, 3}, std::vector<float>(18, 0.5F)).Floats("b", {2}, {1, 2});
  builder.Floats("m", {8, 3}, std::vector<float>(24, 0.25F)).Floats("c", {1, 3}, {1, 2, 3});
  builder.Int64s("shape", {0, -1});
  builder.Node("Conv", {"x", "w", "b"}, {"conv"})
      .Name("conv")
      .Int("group", 2)
      .Ints("pads", {1, 1, 1, 1})
      .Ints("strides", {1, 1})
      .Ints("kernel_shape", {3, 3});
  builder.Node("Clip", {"conv", "", ""}, {"clip"});
  builder.Node("MaxPool", {"clip"}, {"pool"})
      .Ints("kernel_shape", {3, 3})
      .Ints("strides", {3, 3})
      .Int("ceil_mode", 1)
      .String("auto_pad", "SAME_UPPER");
  builder.Node("Reshape", {"pool", "shape"}, {"flat"});
  builder.Node("Gemm", {"flat", "m", "c"}, {"y"}).Float("alpha", 0.5F).Int("transB", 0);
  builder.Node("Unsqueeze", {"flat"}, {"wide"}).Ints("axes", {0});
  builder.Node("Softmax", {"wide"}, {"soft"}).Int("axis", 1);
  builder.Node("Concat", {"soft", "wide"}, {"z"}).Int("axis", -1);
  return builder.GetProto().SerializeAsString();
}

ImportedModel ImportBytes(const std::string& bytes) {
  return ImportModelFromMemory(bytes, "m.onnx");
}

// Whatever a file holds, importing gives a network or a diagnostic.
void ImportAnything(const std::string& bytes) {
  try {
    EXPECT_NE(ImportBytes(bytes).network, nullptr);
  } catch (const DiagnosticException& exception) {
    EXPECT_FALSE(exception.GetDiagnostic().what.empty());
  }
}

TEST(HostileFile, IsGoodBeforeItIsDamaged) {
  const ImportedModel imported = ImportBytes(MakeHostileFileModelBytes());
  EXPECT_EQ(imported.network->GetOutputs().size(), 2U);
}

TEST(HostileFile, MayEndAnywhere) {
  const std::string bytes = MakeHostileFileModelBytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ImportAnything(bytes.substr(0, size));
  }
}

TEST(HostileFile, MayHaveAnyByteChanged) {
  const std::string bytes = MakeHostileFileModelBytes();
  for (std::size_t position = 0; position < bytes.size(); ++position) {
    for (const int mask : {0x01, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[position] = static_cast<char>(damaged[position] ^ mask);
      ImportAnything(damaged);
    }
  }
}

TEST(HostileFile, MayHaveSeveralBytesChanged) {
  const std::string bytes = MakeHostileFileModelBytes();
  std::mt19937 engine(1);
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    std::string damaged = bytes;
    for (int change = 0; change < 4; ++change) {
      damaged[engine() % damaged.size()] = static_cast<char>(engine());
    }
    ImportAnything(damaged);
  }
}

TEST(HostileFile, MayBeATensorWithAnyByteChanged) {
  const std::string bytes = MakeFloats("t", {2, 3}, {1, 2, 3, 4, 5, 6}).SerializeAsString();
  for (std::size_t position = 0; position < bytes.size(); ++position) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = bytes;
      damaged[position] = static_cast<char>(value);
      try {
        const NamedTensor tensor = ParseTensor(damaged, "t.pb");
        EXPECT_EQ(tensor.data.size(), tensor.info.GetSizeBytes());
      } catch (const DiagnosticException& exception) {
        EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kTensorFileUnreadable);
      }
    }
  }
}

}  // namespace
}  // namespace backplane::onnx::test
