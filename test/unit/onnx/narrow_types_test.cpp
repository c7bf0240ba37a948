// Floats of 8 and 4 bits, and integers of 4 and 2 bits.

#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

// The types as ONNX numbers them.
enum Type : std::int32_t {
  kFloat = 1,
  kUInt8 = 2,
  kInt8 = 3,
  kFloat16 = 10,
  kFloat8E4M3FN = 17,
  kFloat8E5M2 = 19,
  kUInt4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUInt2 = 25,
};

ModelBuilder MakeModel(std::int64_t size, std::int64_t opset = 25) {
  ModelBuilder builder(opset);
  builder.Input("x", {size}).Output("y");
  return builder;
}

void AddBytes(ModelBuilder& builder, const std::string& name, Type type, const Dims& dims,
              const std::string& bytes) {
  ::onnx::TensorProto& tensor = *builder.GetProto().mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(type);
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  tensor.set_raw_data(bytes);
}

// x there and back.
Floats RunThrough(Type type, const Floats& x, const std::function<void(NodeBuilder)>& set = {}) {
  ModelBuilder builder = MakeModel(static_cast<std::int64_t>(x.size()));
  NodeBuilder cast = builder.Node("Cast", {"x"}, {"narrow"}).Int("to", type);
  if (set) set(cast);
  builder.Node("Cast", {"narrow"}, {"y"}).Int("to", kFloat);
  return builder.Run({x});
}

TEST(NarrowTypes, FloatsAreRoundedAndSaturate) {
  EXPECT_EQ(RunThrough(kFloat8E4M3FN, {17, 19, -1000, 0.3F}), (Floats{16, 20, -448, 0.3125F}));
  EXPECT_EQ(RunThrough(kFloat4E2M1, {2.5F, 7, -0.7F}), (Floats{2, 6, -0.5F}));
  EXPECT_EQ(RunThrough(kFloat8E8M0, {3, 4}), (Floats{4, 4}));
}

TEST(NarrowTypes, AttributesSayHowFloatsOfEightBitsAreMade) {
  const Floats beyond =
      RunThrough(kFloat8E5M2, {1e6F, -1e6F}, [](NodeBuilder cast) { cast.Int("saturate", 0); });
  EXPECT_EQ(beyond, (Floats{INFINITY, -INFINITY}));
  const auto round = [](const std::string& mode) {
    return RunThrough(kFloat8E8M0, {2.5F, 3},
                      [&](NodeBuilder cast) { cast.String("round_mode", mode); });
  };
  EXPECT_EQ(round("down"), (Floats{2, 2}));
  EXPECT_EQ(round("nearest"), (Floats{2, 4}));
  ModelBuilder builder = MakeModel(1);
  builder.Node("Cast", {"x"}, {"y"}).Int("to", kFloat8E8M0).String("round_mode", "odd");
  EXPECT_TRUE(Contains(builder.ImportError().causes.at(0).why, "up, down and nearest"));
}

TEST(NarrowTypes, NumbersOfTypesAreNotCutOff) {
  ModelBuilder builder = MakeModel(1);
  builder.Node("Cast", {"x"}, {"y"}).Int("to", (std::int64_t{1} << 32) + kInt4);
  EXPECT_TRUE(Contains(builder.ImportError().causes.at(0).why, "to is type 4294967318"));
}

TEST(NarrowTypes, IntegersKeepTheLowestBitsOfReals) {
  EXPECT_EQ(RunThrough(kInt4, {-9, 7.4F, 8}), (Floats{7, 7, -8}));
  EXPECT_EQ(RunThrough(kUInt2, {-1, 5}), (Floats{3, 1}));
}

TEST(NarrowTypes, IntegersAreTheNearestToRealsAndEvenInTheMiddle) {
  EXPECT_EQ(RunThrough(kInt4, {0.5F, 1.5F, 2.5F, -0.5F, -1.5F, -2.5F, 2.6F, 7.5F}),
            (Floats{0, 2, 2, 0, -2, -2, 3, -8}));
  EXPECT_EQ(RunThrough(kUInt4, {0.5F, 1.5F, 2.5F, 14.5F, 15.5F}), (Floats{0, 2, 2, 14, 0}));
  EXPECT_EQ(RunThrough(kUInt2, {0.5F, 1.5F, 2.5F}), (Floats{0, 2, 2}));
}

TEST(NarrowTypes, AreMoved) {
  ModelBuilder builder = MakeModel(4);
  builder.Int64s("shape", {2, 2});
  builder.Node("Cast", {"x"}, {"narrow"}).Int("to", kInt4);
  builder.Node("Reshape", {"narrow", "shape"}, {"matrix"});
  builder.Node("Transpose", {"matrix"}, {"turned"}).Ints("perm", {1, 0});
  builder.Node("Cast", {"turned"}, {"y"}).Int("to", kFloat);
  EXPECT_EQ(builder.Run({{1, -2, 3, -4}}), (Floats{1, 3, -2, -4}));
}

TEST(NarrowTypes, ConstantsAreUnpackedFromOtherFilesToo) {
  const TemporaryDirectory folder;
  std::ofstream(folder.GetPath() + "/data.bin") << std::string("\x21\xf3", 2);
  ModelBuilder builder = MakeModel(3);
  ::onnx::TensorProto& tensor = *builder.GetProto().mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(kInt4);
  tensor.add_dims(3);
  tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
  ::onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value("data.bin");
  builder.Node("Cast", {"w"}, {"reals"}).Int("to", kFloat);
  builder.Node("Add", {"x", "reals"}, {"y"});
  const std::string path = folder.GetPath() + "/model.onnx";
  std::ofstream(path) << builder.GetProto().SerializeAsString();
  EXPECT_NO_THROW(ImportModel(path));
}

// y = x * scale of block, as ONNX defines it.
ModelBuilder MakeBlocks(Type type, const Dims& dims, const std::string& bytes, const Dims& blocks,
                        const Floats& scales, std::int64_t axis) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  ModelBuilder builder = MakeModel(count);
  AddBytes(builder, "w", type, dims, bytes);
  builder.Floats("scales", blocks, scales);
  builder.Node("DequantizeLinear", {"w", "scales"}, {"reals"})
      .Int("axis", axis)
      .Int("block_size", 2);
  builder.Int64s("shape", {count});
  builder.Node("Reshape", {"reals", "shape"}, {"flat"});
  builder.Node("Add", {"x", "flat"}, {"y"});
  return builder;
}

// 1, 2, -8, 7, -1, 3, 0, 5 in int4.
const std::string kEight = "\x21\x78\x3f\x50";

TEST(NarrowTypes, ConstantBlocksAreQuantizedBytes) {
  const Floats zeros(8);
  const ModelBuilder rows = MakeBlocks(kInt4, {2, 4}, kEight, {2, 2}, {1, 10, 100, 1000}, 1);
  EXPECT_EQ(rows.Run({zeros}), (Floats{1, 2, -80, 70, -100, 300, 0, 5000}));
  const ModelBuilder columns = MakeBlocks(kInt4, {4, 2}, kEight, {2, 2}, {1, 10, 100, 1000}, 0);
  EXPECT_EQ(columns.Run({zeros}), (Floats{1, 20, -8, 70, -100, 3000, 0, 5000}));
  std::size_t num_dequantized = 0;
  const ImportedModel model = columns.Import();
  for (const auto& layer : model.network->GetOperators()) {
    if (layer.type == LayerType::kDequantize) ++num_dequantized;
  }
  EXPECT_EQ(num_dequantized, 1U);
}

TEST(NarrowTypes, BlocksWithScalesThatNoTensorMayHaveAreCalculated) {
  const ModelBuilder rows = MakeBlocks(kInt4, {2, 4}, kEight, {2, 2}, {-1, 0, 100, 1000}, 1);
  EXPECT_EQ(rows.Run({Floats(8)}), (Floats{-1, -2, -0.0F, 0, -100, 300, 0, 5000}));
}

TEST(NarrowTypes, TheLastBlockMayBeShort) {
  const ModelBuilder rows = MakeBlocks(kInt4, {1, 3}, "\x21\x08", {1, 2}, {1, 10}, 1);
  EXPECT_EQ(rows.Run({Floats(3)}), (Floats{1, 2, -80}));
}

TEST(NarrowTypes, ABlockMayBeLongerThanTheAxis) {
  ModelBuilder builder(25);
  builder.Input("x", {1, 1, 1, 1, 1, 1, 1, 3}).Output("y");
  builder.Floats("scale", {1, 1, 1, 1, 1, 1, 1, 1}, {0.5F});
  AddBytes(builder, "w", kInt4, {1, 1, 1, 1, 1, 1, 1, 3}, "\x21\x08");
  builder.Node("DequantizeLinear", {"w", "scale"}, {"reals"})
      .Int("axis", 7)
      .Int("block_size", std::int64_t{1} << 62);
  builder.Node("Add", {"x", "reals"}, {"y"});
  EXPECT_EQ(builder.Run({{0, 0, 0}}), (Floats{0.5F, 1, -4}));
}

TEST(NarrowTypes, RefuseScalesThatAreNotOfTheBlocks) {
  const Diagnostic error = MakeBlocks(kInt4, {2, 4}, kEight, {4, 2}, Floats(8, 1), 1).ImportError();
  EXPECT_TRUE(Contains(error.causes.at(0).why,
                       "its scales or zero points are 4x2; for blocks of 2 along axis 1 of 2x4, "
                       "2x2 is expected"))
      << error.causes.at(0).why;
}

TEST(NarrowTypes, BlocksOfActivationsAreQuantized) {
  ModelBuilder builder(25);
  builder.Input("x", {1, 4}).Output("y");
  builder.Floats("scales", {1, 2}, {1, 0.5F});
  AddBytes(builder, "zeros", kUInt4, {1, 2}, "\x81");
  builder.Node("QuantizeLinear", {"x", "scales", "zeros"}, {"narrow"})
      .Int("axis", 1)
      .Int("block_size", 2);
  builder.Node("DequantizeLinear", {"narrow", "scales", "zeros"}, {"y"})
      .Int("axis", 1)
      .Int("block_size", 2);
  EXPECT_EQ(builder.Run({{2.5F, 100, 0.3F, -100}}), (Floats{2, 14, 0.5F, -4}));
}

TEST(NarrowTypes, FloatsOfEightBitsAreScaled) {
  ModelBuilder builder = MakeModel(3);
  builder.Floats("scale", {}, {2});
  AddBytes(builder, "zero", kFloat8E4M3FN, {}, std::string(1, '\0'));
  builder.Node("QuantizeLinear", {"x", "scale", "zero"}, {"narrow"});
  builder.Node("DequantizeLinear", {"narrow", "scale"}, {"y"});
  EXPECT_EQ(builder.Run({{34, 1e9F, -1}}), (Floats{32, 896, -1}));
}

TEST(NarrowTypes, ResultsHaveTheTypeOfTheScale) {
  ModelBuilder builder = MakeModel(4);
  AddBytes(builder, "w", kInt4, {4}, "\x21\x78");
  AddBytes(builder, "scale", kFloat16, {}, std::string("\x00\x40", 2));  // 2
  builder.Node("DequantizeLinear", {"w", "scale"}, {"halves"});
  builder.Node("Cast", {"x"}, {"x16"}).Int("to", kFloat16);
  builder.Node("Add", {"halves", "x16"}, {"sum"});
  builder.Node("Cast", {"sum"}, {"y"}).Int("to", kFloat);
  EXPECT_EQ(builder.Run({Floats(4)}), (Floats{2, 4, -16, 14}));
}

TEST(NarrowTypes, BitsOfBytesAreFloats) {
  ModelBuilder builder = MakeModel(2, 26);
  builder.Node("Cast", {"x"}, {"bytes"}).Int("to", kUInt8);
  builder.Node("BitCast", {"bytes"}, {"narrow"}).Int("to", kFloat8E4M3FN);
  builder.Node("Cast", {"narrow"}, {"y"}).Int("to", kFloat);
  EXPECT_EQ(builder.Run({{0x38, 0xb8}}), (Floats{1, -1}));
}

}  // namespace
}  // namespace backplane::onnx::test
