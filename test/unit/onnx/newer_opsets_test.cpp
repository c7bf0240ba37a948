#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

void ExpectNearNewerOpsets(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

Diagnostic GetOnlyCause(const ModelBuilder& builder) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.causes.size(), 1U);
  return error.causes.empty() ? error : error.causes[0];
}

ModelBuilder MakeVector(std::int64_t opset) {
  ModelBuilder builder(opset);
  builder.Input("x", {2}).Output("y");
  return builder;
}

TEST(NewerOpsets, HaveActivations) {
  ModelBuilder mish = MakeVector(18);
  mish.Node("Mish", {"x"}, {"y"});
  ExpectNearNewerOpsets(mish.Run({{1, -2}}), {0.8650984F, -0.2525015F});
  ModelBuilder swish = MakeVector(24);
  swish.Node("Swish", {"x"}, {"y"}).Float("alpha", 2);
  ExpectNearNewerOpsets(swish.Run({{1, -2}}), {0.8807971F, -0.0359724F});
}

TEST(NewerOpsets, HaveGeluInBothForms) {
  ModelBuilder exact = MakeVector(20);
  exact.Node("Gelu", {"x"}, {"y"});
  ExpectNearNewerOpsets(exact.Run({{1, -2}}), {0.8413447F, -0.0455003F});
  ModelBuilder approximate = MakeVector(20);
  approximate.Node("Gelu", {"x"}, {"y"}).String("approximate", "tanh");
  ExpectNearNewerOpsets(approximate.Run({{1, -2}}), {0.8411920F, -0.0454023F});
  ModelBuilder other = MakeVector(20);
  other.Node("Gelu", {"x"}, {"y"}).String("approximate", "sigmoid");
  EXPECT_EQ(GetOnlyCause(other).why, "approximate is \"sigmoid\"; supported are none and tanh");
}

TEST(NewerOpsets, MultiplyByASwish) {
  ModelBuilder builder = MakeVector(28);
  builder.Floats("b", {2}, {10, 100});
  builder.Node("SwiGLU", {"x", "b"}, {"y"}).Float("alpha", 2);
  ExpectNearNewerOpsets(builder.Run({{1, -2}}), {8.8079708F, -3.5972419F});
  ModelBuilder other = MakeVector(28);
  other.Floats("b", {1}, {10});
  other.Node("SwiGLU", {"x", "b"}, {"y"});
  EXPECT_EQ(GetOnlyCause(other).why, "its inputs are 2 and 1; the same shape is expected");
}

// So many numbers are not evaluated at import.
TEST(NewerOpsets, CountInATypeThatTheyState) {
  for (const std::int64_t type : {1, 7}) {
    ModelBuilder builder(27);
    builder.Output("y").Floats("zero", {}, {0}).Floats("limit", {}, {5e6F}).Floats("step", {}, {1});
    builder.Node("Range", {"zero", "limit", "step"}, {"y"}).Int("stash_type", type);
    if (type == 1) {
      EXPECT_EQ(builder.GetOutputShape(), TensorShape{5000000});
    } else {
      EXPECT_EQ(GetOnlyCause(builder).why, "stash_type is 7; only 1 and 16 are supported");
    }
  }
}

TEST(NewerOpsets, CombineBits) {
  const std::pair<const char*, Floats> cases[] = {
      {"BitwiseAnd", {4, 2}}, {"BitwiseOr", {14, 7}}, {"BitwiseXor", {10, 5}}};
  for (const auto& [op_type, expected] : cases) {
    SCOPED_TRACE(op_type);
    ModelBuilder builder = MakeVector(18);
    builder.Floats("w", {2}, {6, 3});
    builder.Node("Cast", {"x"}, {"a"}).Int("to", 6);
    builder.Node("Cast", {"w"}, {"b"}).Int("to", 6);
    builder.Node(op_type, {"a", "b"}, {"c"});
    builder.Node("Cast", {"c"}, {"y"}).Int("to", 1);
    ExpectNearNewerOpsets(builder.Run({{12, 6}}), expected);
  }
  ModelBuilder inverted = MakeVector(19);
  inverted.Node("Cast", {"x"}, {"a"}).Int("to", 6).Int("saturate", 1);
  inverted.Node("BitwiseNot", {"a"}, {"b"});
  inverted.Node("Cast", {"b"}, {"y"}).Int("to", 1);
  ExpectNearNewerOpsets(inverted.Run({{12, -1}}), {-13, 0});
}

/// Two groups of two channels each: elements 1 and 3, and 10 and 30, are -1 and 1 when normalised.
ModelBuilder MakeGroups(std::int64_t opset, const Floats& scale, const Floats& bias) {
  ModelBuilder builder(opset);
  builder.Input("x", {1, 4, 1}).Output("y", {1, 4, 1});
  const auto count = static_cast<std::int64_t>(scale.size());
  builder.Floats("scale", {count}, scale).Floats("bias", {count}, bias);
  builder.Node("GroupNormalization", {"x", "scale", "bias"}, {"y"})
      .Name("g")
      .Int("num_groups", 2)
      .Float("epsilon", 0);
  return builder;
}

TEST(NewerOpsets, NormaliseGroupsWithParametersOfGroupsAndThenOfChannels) {
  ExpectNearNewerOpsets(MakeGroups(18, {2, 3}, {0, 1}).Run({{1, 3, 10, 30}}), {-2, 2, -2, 4});
  ExpectNearNewerOpsets(MakeGroups(21, {1, 2, 3, 4}, {0, 1, 2, 3}).Run({{1, 3, 10, 30}}),
                        {-1, 3, -1, 7});
  EXPECT_EQ(GetOnlyCause(MakeGroups(18, {1, 2, 3, 4}, {0, 1, 2, 3})).why,
            "its input 1 is 4; 2 elements, one for each group, are expected");
}

ModelBuilder MakeParts(std::int64_t num_outputs) {
  ModelBuilder builder(18);
  builder.Input("x", {5}).Output("b");
  builder.Node("Split", {"x"}, {"a", "b"}).Int("num_outputs", num_outputs);
  return builder;
}

TEST(NewerOpsets, SplitIntoANumberOfPartsOfWhichTheLastIsSmaller) {
  ExpectNearNewerOpsets(MakeParts(2).Run({{1, 2, 3, 4, 5}}), {4, 5});
  EXPECT_EQ(GetOnlyCause(MakeParts(3)).why, "num_outputs is 3, but it has 2 outputs");
}

TEST(NewerOpsets, SplitShapesThatAreConstant) {
  ModelBuilder builder(18);
  builder.Input("x", {2, 3}).Output("y", {-1, -1});
  builder.Node("Shape", {"x"}, {"shape"});
  builder.Node("Split", {"shape"}, {"rows", "columns"}).Int("num_outputs", 2);
  builder.Node("Concat", {"columns", "rows"}, {"turned"}).Int("axis", 0);
  builder.Node("Reshape", {"x", "turned"}, {"y"});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{3, 2}));
}

ModelBuilder MakeResize() {
  ModelBuilder builder(19);
  builder.Input("x", {1, 2}).Output("y", {-1, -1}).Floats("scales", {1}, {2});
  builder.Node("Resize", {"x", "", "scales"}, {"y"})
      .Ints("axes", {-1})
      .String("coordinate_transformation_mode", "asymmetric")
      .String("nearest_mode", "floor");
  return builder;
}

TEST(NewerOpsets, ResizeSomeAxes) {
  ExpectNearNewerOpsets(MakeResize().Run({{1, 2}}), {1, 1, 2, 2});
  EXPECT_EQ(MakeResize().GetOutputShape(), (TensorShape{1, 4}));
}

TEST(NewerOpsets, ResizeAsAlwaysWhenItIsStated) {
  ModelBuilder builder = MakeResize();
  NodeBuilder(*builder.GetProto().mutable_graph()->mutable_node(0))
      .Int("antialias", 0)
      .String("keep_aspect_ratio_policy", "stretch");
  ExpectNearNewerOpsets(builder.Run({{1, 2}}), {1, 1, 2, 2});
}

TEST(NewerOpsets, HaveAxesAsInputs) {
  ModelBuilder sum(18);
  sum.Input("x", {2, 2}).Output("y", {-1}).Int64s("axes", {0});
  sum.Node("ReduceMax", {"x", "axes"}, {"y"}).Int("keepdims", 0);
  ExpectNearNewerOpsets(sum.Run({{1, 5, 3, 4}}), {3, 5});
  ModelBuilder pad(18);
  pad.Input("x", {1, 2}).Output("y", {-1, -1}).Int64s("pads", {1, 0}).Int64s("axes", {1});
  pad.Node("Pad", {"x", "pads", "", "axes"}, {"y"});
  ExpectNearNewerOpsets(pad.Run({{1, 2}}), {0, 1, 2});
}

// Of [1, 2, 2, 1] along axis 1: the sum and the difference of the rows.
TEST(NewerOpsets, TransformAlongAnAxisThatIsAnInput) {
  ModelBuilder builder(20);
  builder.Input("x", {1, 2, 2, 1}).Output("y", {-1, -1, -1, -1});
  builder.GetProto().mutable_graph()->add_initializer()->set_name("axis");
  auto& axis = *builder.GetProto().mutable_graph()->mutable_initializer(0);
  axis.set_data_type(::onnx::TensorProto::INT64);
  axis.add_int64_data(1);
  builder.Node("DFT", {"x", "", "axis"}, {"y"});
  ExpectNearNewerOpsets(builder.Run({{1, 2, 3, 5}}), {4, 0, 7, 0, -2, 0, -3, 0});
}

/// One channel of 5x5, in windows of 2x2 that lie 2 apart.
ModelBuilder MakeWindows(const Dims& block) {
  ModelBuilder builder(18);
  builder.Input("x", {1, 4, 4}).Output("y", {-1, -1, -1, -1});
  builder.Int64s("image", {5, 5}).Int64s("block", block);
  builder.Node("Col2Im", {"x", "image", "block"}, {"y"})
      .Name("c")
      .Ints("strides", {2, 2})
      .Ints("dilations", {2, 2});
  return builder;
}

// The windows meet in the cross in the middle.
TEST(NewerOpsets, FoldWindowsIntoAnImage) {
  const Floats windows(16, 1);
  ExpectNearNewerOpsets(MakeWindows({2, 2}).Run({windows}), {1, 0, 2, 0, 1, 0, 0, 0, 0, 0, 2, 0, 4,
                                                             0, 2, 0, 0, 0, 0, 0, 1, 0, 2, 0, 1});
  EXPECT_EQ(MakeWindows({2, 2}).GetOutputShape(), (TensorShape{1, 1, 5, 5}));
  ModelBuilder padded(18);
  padded.Input("x", {1, 2, 4}).Output("y", {-1, -1, -1});
  padded.Int64s("image", {4}).Int64s("block", {2});
  padded.Node("Col2Im", {"x", "image", "block"}, {"y"}).Ints("pads", {0, 1});
  ExpectNearNewerOpsets(padded.Run({{1, 2, 3, 4, 10, 20, 30, 40}}), {1, 12, 23, 34});
}

TEST(NewerOpsets, RefuseWindowsThatDoNotFitTheImage) {
  EXPECT_EQ(GetOnlyCause(MakeWindows({2})).why,
            "image_shape has 2 axes and block_shape 1; the same number is expected");
  EXPECT_EQ(GetOnlyCause(MakeWindows({2, 0})).why,
            "block_shape has the value 0; allowed is 1 to 2147483647");
}

TEST(NewerOpsets, TakeBitsOfIntegersAsOthers) {
  ModelBuilder builder = MakeVector(26);
  builder.Node("Cast", {"x"}, {"bytes"}).Int("to", ::onnx::TensorProto::INT8);
  builder.Node("BitCast", {"bytes"}, {"unsigned"}).Int("to", ::onnx::TensorProto::UINT8);
  builder.Node("Cast", {"unsigned"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT);
  EXPECT_EQ(builder.Run({{-1, 3}}), (Floats{255, 3}));
}

TEST(NewerOpsets, TakeBitsOfConstantFloatsAsIntegers) {
  ModelBuilder builder = MakeVector(26);
  builder.Floats("floats", {2}, {1, -2});
  builder.Node("BitCast", {"floats"}, {"bits"}).Int("to", ::onnx::TensorProto::INT32);
  builder.Node("Cast", {"bits"}, {"numbers"}).Int("to", ::onnx::TensorProto::FLOAT);
  builder.Node("Add", {"x", "numbers"}, {"y"});
  EXPECT_EQ(builder.Run({{0, 0}}), (Floats{0x3f800000, -0x40000000}));
}

TEST(NewerOpsets, TakeBitsOfFloatsAsIntegers) {
  ModelBuilder builder = MakeVector(26);
  builder.Node("BitCast", {"x"}, {"bits"}).Int("to", ::onnx::TensorProto::INT32);
  builder.Node("Cast", {"bits"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT);
  EXPECT_EQ(builder.Run({{1, -2}}), (Floats{0x3f800000, -0x40000000}));
}

TEST(NewerOpsets, RefuseBitsThatCannotBeTaken) {
  const auto cause = [](std::int64_t to) {
    ModelBuilder builder = MakeVector(26);
    builder.Node("BitCast", {"x"}, {"y"}).Int("to", to);
    return GetOnlyCause(builder);
  };
  EXPECT_EQ(cause(::onnx::TensorProto::INT64).why,
            "its input is float32 and its output would be int64; a type with as many bits is "
            "expected");
  EXPECT_EQ(cause(::onnx::TensorProto::STRING).why, "to is STRING; numbers and BOOL are supported");
}

TEST(NewerOpsets, RefuseInputsThatNobodyKnows) {
  ModelBuilder builder = MakeVector(30);
  builder.Node("Relu", {"x", "x"}, {"y"}).Name("r");
  const Diagnostic cause = GetOnlyCause(builder);
  EXPECT_EQ(cause.code, DiagnosticCode::kUnsupportedAttribute);
  EXPECT_EQ(cause.why, "its input 1, x, is not known; its operator is of a newer version");
}

TEST(NewerOpsets, RefuseInputsThatAnOperatorOfNewerSetsDoesNotHave) {
  ModelBuilder builder = MakeVector(20);
  builder.Node("Gelu", {"x", "x"}, {"y"});
  EXPECT_EQ(GetOnlyCause(builder).why,
            "its input 1, x, is not known; its operator is of a newer version");
}

TEST(NewerOpsets, RefuseWhatBelongsElsewhereWithTheReason) {
  const auto why = [](const std::string& op_type, const std::string& domain) {
    ModelBuilder builder = MakeVector(20);
    auto& import = *builder.GetProto().add_opset_import();
    import.set_domain("ai.onnx.ml");
    import.set_version(1);
    builder.Node(op_type, {"x"}, {"y"}).Domain(domain);
    const Diagnostic cause = GetOnlyCause(builder);
    EXPECT_EQ(cause.code, DiagnosticCode::kUnsupportedOperator);
    return cause.why;
  };
  EXPECT_EQ(why("ImageDecoder", ""),
            "domain ai.onnx, operator set 20; it reads files of images; it belongs to the "
            "preparation of the inputs");
  EXPECT_EQ(why("Binarizer", "ai.onnx.ml"),
            "domain ai.onnx.ml, operator set 1; it is of classical machine learning, as trees and "
            "encoders are; only networks are supported");
}

TEST(NewerOpsets, AreNamedWhereAnOperatorIsNotKnown) {
  ModelBuilder builder = MakeVector(40);
  builder.Node("HyperbolicRelu", {"x"}, {"y"});
  EXPECT_EQ(GetOnlyCause(builder).fix,
            "no operator set up to 28 has it; export the model for that one if it can be");
}

}  // namespace
}  // namespace backplane::onnx::test
