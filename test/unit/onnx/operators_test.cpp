#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

std::size_t CountLayersOperators(const ModelBuilder& builder) {
  return builder.Import().network->GetNumOperators();
}

void ExpectNearOperators(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

ModelBuilder MakeOperatorsUnary(const std::string& op_type, const Dims& dims,
                                std::int64_t opset = 13) {
  ModelBuilder builder(opset);
  builder.Input("x", dims).Output("y").Node(op_type, {"x"}, {"y"});
  return builder;
}

TEST(Activation, IsThatOfItsOperator) {
  ExpectNearOperators(MakeOperatorsUnary("Relu", {2}).Run({{-1, 2}}), {0, 2});
  ExpectNearOperators(MakeOperatorsUnary("Sigmoid", {2}).Run({{0, 2}}), {0.5F, 0.8807971F});
  ExpectNearOperators(MakeOperatorsUnary("Tanh", {2}).Run({{0, 1}}), {0, 0.7615942F});
  ExpectNearOperators(MakeOperatorsUnary("LeakyRelu", {2}).Run({{-1, 2}}), {-0.01F, 2});
}

TEST(Activation, ReadsAlpha) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("y").Node("LeakyRelu", {"x"}, {"y"}).Float("alpha", 0.5F);
  ExpectNearOperators(builder.Run({{-1, 2}}), {-0.5F, 2});
}

TEST(Clip, TakesBoundsFromAttributesUntilOperatorSet10) {
  ModelBuilder builder(10);
  builder.Input("x", {3}).Output("y").Node("Clip", {"x"}, {"y"}).Float("min", -1).Float("max", 1);
  ExpectNearOperators(builder.Run({{-3, 0.5F, 3}}), {-1, 0.5F, 1});
}

TEST(Clip, TakesConstantBoundsFromInputs) {
  ModelBuilder builder;
  builder.Input("x", {3}).Output("y").Floats("max", {}, {1}).Node("Clip", {"x", "", "max"}, {"y"});
  EXPECT_EQ(CountLayersOperators(builder), 1U);
  ExpectNearOperators(builder.Run({{-3, 0.5F, 3}}), {-3, 0.5F, 1});
}

TEST(Clip, TakesComputedBounds) {
  ModelBuilder builder;
  builder.Input("x", {3}).Input("low", {}).Input("high", {}).Output("y");
  builder.Node("Clip", {"x", "low", "high"}, {"y"});
  ExpectNearOperators(builder.Run({{-3, 0.5F, 3}, {-1}, {1}}), {-1, 0.5F, 1});
}

TEST(ElementwiseBinary, IsThatOfItsOperator) {
  const auto run = [](const std::string& op_type) {
    ModelBuilder builder;
    builder.Input("a", {2}).Input("b", {2}).Output("y").Node(op_type, {"a", "b"}, {"y"});
    return builder.Run({{6, 2}, {3, 4}});
  };
  ExpectNearOperators(run("Add"), {9, 6});
  ExpectNearOperators(run("Sub"), {3, -2});
  ExpectNearOperators(run("Mul"), {18, 8});
  ExpectNearOperators(run("Div"), {2, 0.5F});
  ExpectNearOperators(run("Max"), {6, 4});
  ExpectNearOperators(run("Min"), {3, 2});
}

TEST(ElementwiseBinary, ChainsAnyNumberOfInputs) {
  ModelBuilder builder;
  builder.Input("a", {2}).Input("b", {1}).Input("c", {2}).Output("y");
  builder.Node("Max", {"a", "b", "c"}, {"y"});
  EXPECT_EQ(CountLayersOperators(builder), 2U);
  ExpectNearOperators(builder.Run({{1, 5}, {3}, {4, 2}}), {4, 5});
}

TEST(ElementwiseBinary, ForwardsASingleInput) {
  ModelBuilder builder;
  builder.Input("a", {2}).Output("y").Node("Min", {"a"}, {"y"});
  EXPECT_EQ(CountLayersOperators(builder), 0U);
}

TEST(ElementwiseBinary, BroadcastsAsOperatorSet6Did) {
  ModelBuilder builder(6);
  builder.Input("a", {2, 2}).Input("b", {2}).Output("y");
  builder.Node("Add", {"a", "b"}, {"y"}).Int("broadcast", 1).Int("axis", 0);
  ExpectNearOperators(builder.Run({{1, 2, 3, 4}, {10, 20}}), {11, 12, 23, 24});
  builder.GetProto().mutable_graph()->mutable_node(0)->mutable_attribute(1)->set_i(1);
  ExpectNearOperators(builder.Run({{1, 2, 3, 4}, {10, 20}}), {11, 22, 13, 24});
}

TEST(Concat, CountsItsAxisFromTheEnd) {
  ModelBuilder builder;
  builder.Input("a", {2, 1}).Input("b", {2, 2}).Output("y");
  builder.Node("Concat", {"a", "b"}, {"y"}).Int("axis", -1);
  ExpectNearOperators(builder.Run({{1, 2}, {3, 4, 5, 6}}), {1, 3, 4, 2, 5, 6});
}

TEST(Concat, RefusesAnAxisThatIsNotThere) {
  ModelBuilder builder;
  builder.Input("a", {2, 1}).Output("y").Node("Concat", {"a"}, {"y"}).Int("axis", 2);
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.causes.at(0).why, "its axis is 2; for rank 2 an axis is from -2 to 1");
}

TEST(Constant, BecomesNoLayerOfItsOwn) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("y");
  builder.Node("Constant", {}, {"c"}).Tensor("value", MakeFloats("", {2}, {1, 2}));
  builder.Node("Constant", {}, {"unused"}).Float("value_float", 3);
  builder.Node("Add", {"x", "c"}, {"y"});
  EXPECT_EQ(CountLayersOperators(builder), 1U);
  ExpectNearOperators(builder.Run({{10, 20}}), {11, 22});
}

TEST(Constant, RefusesStrings) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("x").Node("Constant", {}, {"c"}).String("value_string", "text");
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kUnsupportedAttribute);
}

ModelBuilder MakeConv(const std::string& auto_pad, const Dims& strides) {
  ModelBuilder builder;
  builder.Input("x", {1, 1, 4}).Output("y").Floats("w", {1, 1, 2}, {1, 10});
  builder.Node("Conv", {"x", "w"}, {"y"}).String("auto_pad", auto_pad).Ints("strides", strides);
  return builder;
}

TEST(Conv, PadsAsAutoPadSays) {
  const Floats x = {1, 2, 3, 4};
  ExpectNearOperators(MakeConv("NOTSET", {1}).Run({x}), {21, 32, 43});
  ExpectNearOperators(MakeConv("VALID", {1}).Run({x}), {21, 32, 43});
  ExpectNearOperators(MakeConv("SAME_UPPER", {1}).Run({x}), {21, 32, 43, 4});
  ExpectNearOperators(MakeConv("SAME_LOWER", {1}).Run({x}), {10, 21, 32, 43});
  ExpectNearOperators(MakeConv("SAME_UPPER", {3}).Run({x}), {21, 4});
}

TEST(Conv, HasGroupsDilationsPadsAndBias) {
  ModelBuilder builder;
  builder.Input("x", {1, 2, 3}).Output("y");
  builder.Floats("w", {2, 1, 2}, {1, 10, 1, 100}).Floats("b", {2}, {0.5F, -0.5F});
  builder.Node("Conv", {"x", "w", "b"}, {"y"})
      .Int("group", 2)
      .Ints("dilations", {2})
      .Ints("pads", {1, 0});
  ExpectNearOperators(builder.Run({{1, 2, 3, 4, 5, 6}}), {20.5F, 31.5F, 499.5F, 603.5F});
}

TEST(Conv, HasUpToThreeSpatialAxes) {
  for (const std::size_t rank : {1U, 2U, 3U}) {
    Dims dims(rank + 2, 2);
    dims[0] = dims[1] = 1;
    ModelBuilder builder;
    builder.Input("x", dims).Floats("w", dims, Floats(std::size_t{1} << rank, 1.0F)).Output("y");
    builder.Node("Conv", {"x", "w"}, {"y"});
    ExpectNearOperators(builder.Run({Floats(std::size_t{1} << rank, 1.0F)}),
                        {static_cast<float>(1U << rank)});
  }
}

TEST(Conv, RefusesAKernelShapeThatIsNotThatOfItsWeights) {
  ModelBuilder builder;
  builder.Input("x", {1, 1, 4}).Output("y").Floats("w", {1, 1, 2}, {1, 10});
  builder.Node("Conv", {"x", "w"}, {"y"}).Ints("kernel_shape", {3});
  EXPECT_EQ(builder.ImportError().causes.at(0).why, "kernel_shape is 3, but its weights are 1x1x2");
}

TEST(Conv, RefusesValuesThatMakeNoSense) {
  const auto get_reason = [](const std::string& name, const Dims& values) {
    ModelBuilder builder;
    builder.Input("x", {1, 1, 4}).Output("y").Floats("w", {1, 1, 2}, {1, 10});
    builder.Node("Conv", {"x", "w"}, {"y"}).Ints(name, values);
    return builder.ImportError().causes.at(0).why;
  };
  EXPECT_EQ(get_reason("strides", {0}), "strides has the value 0; allowed is 1 to 2147483647");
  EXPECT_EQ(get_reason("dilations", {std::int64_t{1} << 40}),
            "dilations has the value 1099511627776; allowed is 1 to 2147483647");
  EXPECT_EQ(get_reason("pads", {-1, 0}), "pads has the value -1; allowed is 0 to 2147483647");
  EXPECT_EQ(get_reason("pads", {1}), "pads has 1 values; 2 are expected");
}

TEST(Conv, RefusesAnUnknownAutoPad) {
  EXPECT_EQ(MakeConv("SAME", {1}).ImportError().causes.at(0).why,
            "auto_pad is \"SAME\"; supported are NOTSET, VALID, SAME_UPPER and SAME_LOWER");
}

TEST(Pooling, TakesTheMaximumOrTheAverage) {
  const auto run = [](const std::string& op_type) {
    ModelBuilder builder;
    builder.Input("x", {1, 1, 4}).Output("y");
    builder.Node(op_type, {"x"}, {"y"}).Ints("kernel_shape", {2}).Ints("strides", {2});
    return builder.Run({{1, 2, 5, 3}});
  };
  ExpectNearOperators(run("MaxPool"), {2, 5});
  ExpectNearOperators(run("AveragePool"), {1.5F, 4});
}

TEST(Pooling, CountsPaddingInTheAverageWhenAsked) {
  const auto run = [](std::int64_t is_included) {
    ModelBuilder builder;
    builder.Input("x", {1, 1, 2}).Output("y");
    builder.Node("AveragePool", {"x"}, {"y"})
        .Ints("kernel_shape", {2})
        .Ints("pads", {1, 0})
        .Int("count_include_pad", is_included);
    return builder.Run({{2, 4}});
  };
  ExpectNearOperators(run(0), {2, 3});
  ExpectNearOperators(run(1), {1, 3});
}

TEST(Pooling, RoundsUpWithCeilMode) {
  ModelBuilder builder;
  builder.Input("x", {1, 1, 5}).Output("y");
  builder.Node("MaxPool", {"x"}, {"y"})
      .Ints("kernel_shape", {2})
      .Ints("strides", {2})
      .Int("ceil_mode", 1);
  ExpectNearOperators(builder.Run({{1, 2, 3, 4, 5}}), {2, 4, 5});
}

TEST(Pooling, HasDilations) {
  ModelBuilder builder;
  builder.Input("x", {1, 1, 4}).Output("y");
  builder.Node("MaxPool", {"x"}, {"y"}).Ints("kernel_shape", {2}).Ints("dilations", {2});
  ExpectNearOperators(builder.Run({{9, 2, 3, 4}}), {9, 4});
}

TEST(GlobalPooling, CoversTheWholeInput) {
  const Floats x = {1, 2, 3, 4, 5, 6, 7, 8};
  ExpectNearOperators(MakeOperatorsUnary("GlobalAveragePool", {1, 2, 2, 2}).Run({x}), {2.5F, 6.5F});
  ExpectNearOperators(MakeOperatorsUnary("GlobalMaxPool", {1, 2, 4}).Run({x}), {4, 8});
  for (const Dims& dims : {Dims{1, 2, 0, 2}, Dims{1, 2, 0}}) {
    EXPECT_TRUE(
        Contains(MakeOperatorsUnary("GlobalAveragePool", dims).ImportError().causes.at(0).why,
                 "spatial axes with elements are supported"));
  }
}

ModelBuilder MakeGemm(const std::function<void(NodeBuilder&)>& set, const Dims& c_dims,
                      const Floats& c) {
  ModelBuilder builder;
  builder.Input("a", {2, 2}).Floats("b", {2, 2}, {1, 2, 3, 4}).Floats("c", c_dims, c).Output("y");
  NodeBuilder node = builder.Node("Gemm", {"a", "b", "c"}, {"y"});
  set(node);
  return builder;
}

TEST(Gemm, TransposesAndScales) {
  const Floats a = {1, 2, 3, 4};
  const auto run = [&](const std::function<void(NodeBuilder&)>& set) {
    return MakeGemm(set, {2}, {10, 20}).Run({a});
  };
  ExpectNearOperators(run([](NodeBuilder&) {}), {17, 30, 25, 42});
  ExpectNearOperators(run([](NodeBuilder& node) { node.Int("transB", 1); }), {15, 31, 21, 45});
  ExpectNearOperators(run([](NodeBuilder& node) { node.Int("transA", 1); }), {20, 34, 24, 40});
  ExpectNearOperators(run([](NodeBuilder& node) { node.Int("transA", 1).Int("transB", 1); }),
                      {17, 35, 20, 42});
  ExpectNearOperators(run([](NodeBuilder& node) { node.Float("alpha", 2); }), {24, 40, 40, 64});
  ExpectNearOperators(run([](NodeBuilder& node) { node.Float("beta", 0.5F); }), {12, 20, 20, 32});
  ExpectNearOperators(run([](NodeBuilder& node) { node.Float("alpha", 2).Float("beta", 0.5F); }),
                      {19, 30, 35, 54});
  ExpectNearOperators(run([](NodeBuilder& node) { node.Float("beta", 0); }), {7, 10, 15, 22});
}

TEST(Gemm, BroadcastsEveryShapeOfC) {
  const auto run = [](const Dims& dims, const Floats& c) {
    return MakeGemm([](NodeBuilder&) {}, dims, c).Run({{1, 2, 3, 4}});
  };
  ExpectNearOperators(run({}, {1}), {8, 11, 16, 23});
  ExpectNearOperators(run({1}, {1}), {8, 11, 16, 23});
  ExpectNearOperators(run({1, 2}, {1, 2}), {8, 12, 16, 24});
  ExpectNearOperators(run({2, 1}, {1, 2}), {8, 11, 17, 24});
  ExpectNearOperators(run({2, 2}, {1, 2, 3, 4}), {8, 12, 18, 26});
}

TEST(Gemm, IsOneLayerWithAConstantBias) {
  const auto count = [](const Dims& dims, const Floats& c) {
    return CountLayersOperators(
        MakeGemm([](NodeBuilder& node) { node.Float("beta", 2); }, dims, c));
  };
  EXPECT_EQ(count({2}, {1, 2}), 1U);
  EXPECT_EQ(count({1, 2}, {1, 2}), 1U);
  EXPECT_EQ(count({}, {1}), 1U);
}

TEST(Gemm, RefusesACThatDoesNotBroadcast) {
  const auto builder = MakeGemm([](NodeBuilder&) {}, {3}, {1, 2, 3});
  EXPECT_EQ(builder.ImportError().causes.at(0).why,
            "its input C is 3, which does not broadcast to 2x2");
}

TEST(MatMul, MultipliesMatricesAndVectors) {
  ModelBuilder weighted;
  weighted.Input("a", {1, 2}).Floats("b", {2, 2}, {1, 2, 3, 4}).Output("y");
  weighted.Node("MatMul", {"a", "b"}, {"y"});
  ExpectNearOperators(weighted.Run({{1, 2}}), {7, 10});
  ModelBuilder vectors;
  vectors.Input("a", {2}).Input("b", {2}).Output("y").Node("MatMul", {"a", "b"}, {"y"});
  ExpectNearOperators(vectors.Run({{1, 2}, {3, 4}}), {11});
  EXPECT_EQ(vectors.GetOutputShape().rank, 0U);
}

ModelBuilder MakeOperatorsReshape(const Dims& dims, const Dims& wanted) {
  ModelBuilder builder;
  builder.Input("x", dims).Int64s("shape", wanted).Output("y");
  builder.Node("Reshape", {"x", "shape"}, {"y"}).Name("r");
  return builder;
}

TEST(Reshape, CopiesZerosAndInfersMinusOne) {
  EXPECT_EQ(MakeOperatorsReshape({2, 3, 4}, {0, -1}).GetOutputShape(), (TensorShape{2, 12}));
  EXPECT_EQ(MakeOperatorsReshape({2, 3, 4}, {4, 0, 2}).GetOutputShape(), (TensorShape{4, 3, 2}));
  EXPECT_EQ(MakeOperatorsReshape({1}, {}).GetOutputShape(), TensorShape());
}

TEST(Reshape, KeepsZerosWhenAllowed) {
  ModelBuilder builder(14);
  builder.Input("x", {0, 3}).Int64s("shape", {3, 0}).Output("y");
  builder.Node("Reshape", {"x", "shape"}, {"y"}).Int("allowzero", 1);
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{3, 0}));
}

TEST(Reshape, ReadsTheAttributeOfOperatorSet1) {
  ModelBuilder builder(1);
  builder.Input("x", {2, 3}).Output("y").Node("Reshape", {"x"}, {"y"}).Ints("shape", {3, 2});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{3, 2}));
}

TEST(Reshape, RefusesShapesThatDoNotFit) {
  const auto get_reason = [](const Dims& dims, const Dims& wanted) {
    return MakeOperatorsReshape(dims, wanted).ImportError().causes.at(0).why;
  };
  EXPECT_EQ(get_reason({2, 3}, {4}), "its input is 2x3, which cannot become 4");
  EXPECT_TRUE(Contains(get_reason({2, 3}, {4, -1}), "6 elements are to be divided by 4"));
  EXPECT_TRUE(Contains(get_reason({2, 3}, {-1, -1}), "cannot"));
  EXPECT_EQ(get_reason({2}, {2, 0}),
            "its shape copies the extent of axis 1, but its input of shape 2 has none");
  EXPECT_TRUE(Contains(get_reason({2}, {std::int64_t{1} << 62, std::int64_t{1} << 62}), "cannot"));
  EXPECT_TRUE(Contains(get_reason({1}, Dims(9, 1)), "has 9 dimensions; at most 8"));
}

TEST(Reshape, OfAConstantIsAConstant) {
  ModelBuilder builder;
  builder.Input("x", {1, 2}).Floats("w", {1, 2, 1}, {3, 4}).Int64s("shape", {2, 1}).Output("y");
  builder.Node("Reshape", {"w", "shape"}, {"v"});
  builder.Node("MatMul", {"x", "v"}, {"y"});
  EXPECT_EQ(CountLayersOperators(builder), 1U);
  ExpectNearOperators(builder.Run({{1, 2}}), {11});
}

TEST(Flatten, TakesEveryAxis) {
  const auto get_shape = [](std::int64_t axis) {
    ModelBuilder builder;
    builder.Input("x", {2, 3, 4}).Output("y").Node("Flatten", {"x"}, {"y"}).Int("axis", axis);
    return builder.GetOutputShape();
  };
  EXPECT_EQ(get_shape(0), (TensorShape{1, 24}));
  EXPECT_EQ(get_shape(2), (TensorShape{6, 4}));
  EXPECT_EQ(get_shape(3), (TensorShape{24, 1}));
  EXPECT_EQ(get_shape(-1), (TensorShape{6, 4}));
}

TEST(Softmax, SumsOverOneAxisFromOperatorSet13) {
  ModelBuilder builder = MakeOperatorsUnary("Softmax", {2, 2});
  ExpectNearOperators(builder.Run({{0, 0, 1, 1}}), {0.5F, 0.5F, 0.5F, 0.5F});
}

TEST(Softmax, SumsOverAllAxesBehindItsOwnUntilOperatorSet12) {
  ModelBuilder builder = MakeOperatorsUnary("Softmax", {1, 2, 2}, 12);
  EXPECT_EQ(CountLayersOperators(builder), 3U);
  ExpectNearOperators(builder.Run({{0, 0, 0, 0}}), {0.25F, 0.25F, 0.25F, 0.25F});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{1, 2, 2}));
}

TEST(Softmax, IsOneLayerWhenOnlyOneAxisIsWide) {
  ModelBuilder builder = MakeOperatorsUnary("Softmax", {1, 4, 1, 1}, 7);
  EXPECT_EQ(CountLayersOperators(builder), 1U);
  ExpectNearOperators(builder.Run({{0, 0, 0, 0}}), {0.25F, 0.25F, 0.25F, 0.25F});
}

TEST(Squeeze, RemovesNamedAxesOrAllOfOne) {
  EXPECT_EQ(MakeOperatorsUnary("Squeeze", {1, 2, 1}).GetOutputShape(), (TensorShape{2}));
  ModelBuilder attribute(11);
  attribute.Input("x", {1, 2, 1}).Output("y").Node("Squeeze", {"x"}, {"y"}).Ints("axes", {-1});
  EXPECT_EQ(attribute.GetOutputShape(), (TensorShape{1, 2}));
  ModelBuilder input;
  input.Input("x", {1, 2, 1}).Int64s("axes", {0}).Output("y").Node("Squeeze", {"x", "axes"}, {"y"});
  EXPECT_EQ(input.GetOutputShape(), (TensorShape{2, 1}));
}

TEST(Squeeze, RefusesAWideAxis) {
  ModelBuilder builder;
  builder.Input("x", {1, 2}).Int64s("axes", {1}).Output("y").Node("Squeeze", {"x", "axes"}, {"y"});
  EXPECT_EQ(builder.ImportError().causes.at(0).why,
            "its input is 1x2; axis 1 can be removed only when its extent is 1");
}

TEST(Unsqueeze, CountsAxesInItsOutput) {
  const auto make = [](const Dims& axes) {
    ModelBuilder builder;
    builder.Input("x", {2, 3}).Int64s("axes", axes).Output("y");
    builder.Node("Unsqueeze", {"x", "axes"}, {"y"});
    return builder;
  };
  EXPECT_EQ(make({0, -1}).GetOutputShape(), (TensorShape{1, 2, 3, 1}));
  EXPECT_EQ(make({2, 1}).GetOutputShape(), (TensorShape{2, 1, 1, 3}));
  EXPECT_EQ(make({0, 0}).ImportError().causes.at(0).why, "its axes name axis 0 twice");
  EXPECT_TRUE(Contains(make(Dims(7, 0)).ImportError().causes.at(0).why, "at most 8"));
}

TEST(Identity, LeavesNoLayer) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("y");
  builder.Node("Identity", {"x"}, {"a"});
  builder.Node("Dropout", {"a"}, {"b", "mask"});
  builder.Node("Relu", {"b"}, {"y"});
  EXPECT_EQ(CountLayersOperators(builder), 1U);
  ExpectNearOperators(builder.Run({{-1, 1}}), {0, 1});
}

TEST(Dropout, RefusesTrainingMode) {
  ModelBuilder training;
  training.Input("x", {2}).Input("mode", {}).Output("y");
  training.GetProto()
      .mutable_graph()
      ->mutable_input(1)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(::onnx::TensorProto::BOOL);
  training.Node("Dropout", {"x", "", "mode"}, {"y"});
  EXPECT_EQ(training.ImportError().code, DiagnosticCode::kUnsupportedAttribute);
}

TEST(Dropout, MayTrainWithoutDropping) {
  ModelBuilder builder;
  builder.Input("x", {2}).Input("mode", {}).Output("y").Floats("ratio", {}, {0});
  builder.Node("Dropout", {"x", "ratio", "mode"}, {"y"});
  ExpectNearOperators(builder.Run({{-1, 1}, {1}}), {-1, 1});
}

TEST(Dropout, TheMaskKeepsEverything) {
  ModelBuilder builder(7);
  builder.Input("x", {2, 2}).Output("mask", {-1, -1}).Node("Dropout", {"x"}, {"y", "mask"});
  ExpectNearOperators(builder.Run({{-1, 1, 0, 2}}), {1, 1, 1, 1});
}

}  // namespace
}  // namespace backplane::onnx::test
