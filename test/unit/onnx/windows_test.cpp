#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;
using Set = std::function<void(NodeBuilder&)>;

void ExpectNearWindows(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

// Stride 3 and a kernel of 2 with the weights 1 and 10.
ModelBuilder MakeConvTranspose(const Set& set, std::int64_t opset = 13, std::int64_t stride = 3) {
  ModelBuilder builder(opset);
  builder.Input("x", {1, 1, 2}).Floats("w", {1, 1, 2}, {1, 10}).Output("y");
  NodeBuilder node = builder.Node("ConvTranspose", {"x", "w"}, {"y"});
  node.Ints("strides", {stride});
  set(node);
  return builder;
}

TEST(ConvTranspose, TakesPadsAndOutputPadding) {
  ExpectNearWindows(MakeConvTranspose([](NodeBuilder&) {}).Run({{1, 2}}), {1, 10, 0, 2, 20});
  ExpectNearWindows(MakeConvTranspose([](NodeBuilder& node) {
                      node.Ints("pads", {1, 0}).Ints("output_padding", {2});
                    }).Run({{1, 2}}),
                    {10, 0, 2, 20, 0, 0});
  ExpectNearWindows(
      MakeConvTranspose([](NodeBuilder& node) { node.String("auto_pad", "VALID"); }).Run({{1, 2}}),
      {1, 10, 0, 2, 20});
}

TEST(ConvTranspose, GrowsToTheSameAsStride) {
  for (const char* auto_pad : {"SAME_UPPER", "SAME_LOWER"}) {
    // Larger than the windows: 2 * 3.
    ExpectNearWindows(MakeConvTranspose([&](NodeBuilder& node) {
                        node.String("auto_pad", auto_pad);
                      }).Run({{1, 2}}),
                      {1, 10, 0, 2, 20, 0});
  }
}

TEST(ConvTranspose, PadsAnOddRestAsTheOperatorSetSays) {
  const auto run = [](std::int64_t opset, const char* auto_pad) {
    const auto set = [&](NodeBuilder& node) { node.String("auto_pad", auto_pad); };
    return MakeConvTranspose(set, opset, 1).Run({{1, 2}});
  };
  // 3 elements without padding, 2 with it.
  ExpectNearWindows(run(11, "SAME_UPPER"), {1, 12});
  ExpectNearWindows(run(11, "SAME_LOWER"), {12, 20});
  ExpectNearWindows(run(1, "SAME_UPPER"), {12, 20});
  ExpectNearWindows(run(1, "SAME_LOWER"), {1, 12});
}

TEST(ConvTranspose, ReachesTheOutputShape) {
  const auto run = [](std::int64_t opset, const Dims& shape) {
    return MakeConvTranspose([&](NodeBuilder& node) { node.Ints("output_shape", shape); }, opset)
        .Run({{1, 2}});
  };
  ExpectNearWindows(run(11, {4}), {10, 0, 2, 20});
  ExpectNearWindows(run(10, {4}), {1, 10, 0, 2});
  ExpectNearWindows(run(11, {3}), {10, 0, 2});
  ExpectNearWindows(run(11, {7}), {1, 10, 0, 2, 20, 0, 0});
  ExpectNearWindows(run(11, {1, 1, 3}), {10, 0, 2});
}

TEST(ConvTranspose, RefusesOutputShapesThatDoNotFit) {
  const auto get_reason = [](const Dims& shape) {
    return MakeConvTranspose([&](NodeBuilder& node) { node.Ints("output_shape", shape); })
        .ImportError()
        .causes.at(0)
        .why;
  };
  EXPECT_EQ(get_reason({4, 4}), "output_shape has 2 values; 1 are expected");
  EXPECT_EQ(get_reason({0}), "output_shape has the value 0; allowed is 1 to 2147483647");
}

ModelBuilder MakeMaxPool(std::int64_t storage_order, const Names& outputs) {
  ModelBuilder builder(12);
  builder.Input("x", {1, 1, 2, 3});
  for (const std::string& output : outputs) builder.Output(output);
  builder.Node("MaxPool", {"x"}, {"y", "indices"})
      .Ints("kernel_shape", {2, 2})
      .Int("storage_order", storage_order);
  return builder;
}

TEST(Pooling, HasIndicesWhenTheyAreRead) {
  const auto get_type = [](const Names& outputs) {
    return MakeMaxPool(0, outputs).Import().network->GetOutputs().at(0).info.data_type;
  };
  EXPECT_EQ(get_type({"indices"}), DataType::kInt64);
  EXPECT_EQ(get_type({"y", "indices"}), DataType::kFloat32);
  ExpectNearWindows(MakeMaxPool(0, {"y"}).Run({{1, 2, 3, 4, 6, 5}}), {6, 6});
}

TEST(Pooling, RefusesUnknownStorageOrders) {
  EXPECT_EQ(MakeMaxPool(2, {"y"}).ImportError().causes.at(0).why,
            "storage_order is 2; 0 or 1 is expected");
}

TEST(Pooling, UnpoolsByIndices) {
  ModelBuilder builder(11);
  builder.Input("x", {1, 1, 4}).Output("y");
  builder.Node("MaxPool", {"x"}, {"maxima", "indices"})
      .Ints("kernel_shape", {2})
      .Ints("strides", {2});
  NodeBuilder node = builder.Node("MaxUnpool", {"maxima", "indices"}, {"y"});
  node.Ints("kernel_shape", {2}).Ints("strides", {2});
  ExpectNearWindows(builder.Run({{1, 3, 4, 2}}), {0, 3, 4, 0});
  builder.Int64s("shape", {1, 1, 6});
  builder.GetProto().mutable_graph()->mutable_node(1)->add_input("shape");
  ExpectNearWindows(builder.Run({{1, 3, 4, 2}}), {0, 3, 4, 0, 0, 0});
}

TEST(Pooling, RefusesToUnpoolIntoAnotherShape) {
  ModelBuilder builder(11);
  builder.Input("x", {1, 1, 2}).Input("i", {1, 1, 2}).Int64s("shape", {1, 2, 6}).Output("y");
  builder.Node("MaxUnpool", {"x", "i", "shape"}, {"y"}).Ints("kernel_shape", {2});
  EXPECT_EQ(builder.ImportError().causes.at(0).why,
            "output_shape is 1x2x6, which does not go with its input, 1x1x2");
}

TEST(Pooling, TakesLpNormsOfEveryOperatorSet) {
  const auto run = [](std::int64_t opset, const Set& set) {
    ModelBuilder builder(opset);
    builder.Input("x", {1, 1, 3}).Output("y");
    NodeBuilder node = builder.Node("LpPool", {"x"}, {"y"});
    node.Ints("kernel_shape", {2});
    set(node);
    return builder.Run({{3, -4, 0}});
  };
  for (const std::int64_t opset : {1, 2, 11, 17}) {
    ExpectNearWindows(run(opset, [](NodeBuilder&) {}), {5, 4});
  }
  ExpectNearWindows(run(1, [](NodeBuilder& node) { node.Float("p", 1); }), {7, 4});
  ExpectNearWindows(run(2, [](NodeBuilder& node) { node.Int("p", 1); }), {7, 4});
}

TEST(GlobalPooling, TakesAnyNumberOfSpatialAxes) {
  const auto get_shape = [](const Dims& dims) {
    ModelBuilder builder;
    builder.Input("x", dims).Output("y").Node("GlobalLpPool", {"x"}, {"y"});
    return builder.GetOutputShape();
  };
  EXPECT_EQ(get_shape({2, 3}), (TensorShape{2, 3}));
  EXPECT_EQ(get_shape({2, 3, 4}), (TensorShape{2, 3, 1}));
  EXPECT_EQ(get_shape({2, 3, 4, 5, 6}), (TensorShape{2, 3, 1, 1, 1}));
  EXPECT_EQ(get_shape({2, 3, 4, 5, 6, 7, 2, 2}), (TensorShape{2, 3, 1, 1, 1, 1, 1, 1}));
  ModelBuilder builder;
  builder.Input("x", {1, 1, 1, 2, 1, 2}).Output("y");
  builder.Node("GlobalLpPool", {"x"}, {"y"}).Int("p", 1);
  ExpectNearWindows(builder.Run({{1, -2, 3, -4}}), {10});
}

TEST(Det, IsOfEachMatrix) {
  ModelBuilder builder;
  builder.Input("a", {2, 2, 2}).Output("y").Node("Det", {"a"}, {"y"});
  ExpectNearWindows(builder.Run({{1, 2, 3, 4, 0, 1, 1, 0}}), {-2, -1});
}

TEST(Gemm, BroadcastsAsOperatorSet6Did) {
  for (const std::int64_t opset : {1, 6}) {
    ModelBuilder builder(opset);
    builder.Input("a", {2, 1}).Input("b", {1, 2}).Input("c", {2}).Output("y");
    builder.Node("Gemm", {"a", "b", "c"}, {"y"}).Int("broadcast", 1).Float("alpha", 2);
    ExpectNearWindows(builder.Run({{1, 2}, {3, 4}, {10, 20}}), {16, 28, 22, 36});
  }
}

// A node of the domain of ONNX Runtime.
ModelBuilder MakeFused(const std::string& op_type, const Names& inputs, const Set& set) {
  ModelBuilder builder;
  auto* opset = builder.GetProto().add_opset_import();
  opset->set_domain("com.microsoft");
  opset->set_version(1);
  builder.Input("x", {1, 1, 2}).Input("z", {1, 1, 2}).Output("y");
  builder.Floats("w", {1, 1, 1}, {-3}).Floats("b", {1}, {5});
  NodeBuilder node = builder.Node(op_type, inputs, {"y"});
  node.Domain("com.microsoft");
  set(node);
  return builder;
}

TEST(FusedConv, AddsAndActivates) {
  const Set relu = [](NodeBuilder& node) { node.String("activation", "Relu"); };
  ExpectNearWindows(MakeFused("FusedConv", {"x", "w", "b"}, relu).Run({{1, 2}, {0, 0}}), {2, 0});
  ExpectNearWindows(MakeFused("FusedConv", {"x", "w", "b", "z"}, relu).Run({{1, 2}, {10, 20}}),
                    {12, 19});
  ExpectNearWindows(MakeFused("FusedConv", {"x", "w"}, [](NodeBuilder&) {}).Run({{1, 2}, {0, 0}}),
                    {-3, -6});
}

TEST(FusedConv, RefusesUnknownActivations) {
  const auto builder = MakeFused("FusedConv", {"x", "w"},
                                 [](NodeBuilder& node) { node.String("activation", "Erf"); });
  EXPECT_EQ(builder.ImportError().causes.at(0).why,
            "activation is \"Erf\"; supported are Relu, Sigmoid, Tanh, LeakyRelu, HardSigmoid and "
            "Clip");
}

TEST(FusedMatMul, TransposesAndScales) {
  const auto builder = MakeFused("FusedMatMul", {"x", "z"}, [](NodeBuilder& node) {
    node.Int("transB", 1).Float("alpha", 2);
  });
  ExpectNearWindows(builder.Run({{1, 2}, {10, 20}}), {100});
}

TEST(FusedGemm, Activates) {
  ModelBuilder builder;
  auto* opset = builder.GetProto().add_opset_import();
  opset->set_domain("com.microsoft");
  opset->set_version(1);
  builder.Input("a", {1, 2}).Floats("b", {2, 2}, {1, -1, 1, -1}).Output("y");
  builder.Node("FusedGemm", {"a", "b"}, {"y"})
      .Domain("com.microsoft")
      .String("activation", "LeakyRelu")
      .Float("activation_alpha", 0.5F);
  ExpectNearWindows(builder.Run({{1, 2}}), {3, -1.5F});
}

}  // namespace
}  // namespace backplane::onnx::test
