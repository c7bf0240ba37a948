#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

void ExpectNearRms(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-3F) << i;
}

std::string GetRmsReason(const ModelBuilder& builder, DiagnosticCode code) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, code);
  return error.causes.empty() ? error.why : error.causes[0].why;
}

/// Rows of which the root of the mean of the squares is 5 and 1.
const Floats kRmsRows = {7, -1, 1, 1};

ModelBuilder MakeRms(const std::string& op_type, const Dims& scale_dims, const Floats& scale) {
  ModelBuilder builder(23);
  builder.Input("x", {2, 2}).Output("y", {-1, -1}).Floats("scale", scale_dims, scale);
  builder.Node(op_type, {"x", "scale"}, {"y"}).Float("epsilon", 0);
  return builder;
}

TEST(RmsNormalization, DividesByTheRootOfTheMeanOfSquares) {
  for (const char* op_type : {"RMSNormalization", "SimplifiedLayerNormalization"}) {
    SCOPED_TRACE(op_type);
    ExpectNearRms(MakeRms(op_type, {2}, {1, 10}).Run({kRmsRows}), {1.4F, -2, 1, 10});
  }
}

TEST(RmsNormalization, NormalisesAllAxesFromOneOn) {
  ModelBuilder builder = MakeRms("RMSNormalization", {2, 2}, {1, 2, 3, 4});
  NodeBuilder(*builder.GetProto().mutable_graph()->mutable_node(0)).Int("axis", 0);
  const float root = 3.6055513F;  // of (49 + 1 + 1 + 1) / 4
  ExpectNearRms(builder.Run({kRmsRows}), {7 / root, -2 / root, 3 / root, 4 / root});
}

TEST(RmsNormalization, AddsEpsilon) {
  ModelBuilder builder(23);
  builder.Input("x", {1}).Output("y").Floats("scale", {1}, {1});
  builder.Node("RMSNormalization", {"x", "scale"}, {"y"}).Float("epsilon", 3);
  ExpectNearRms(builder.Run({{1}}), {0.5F});
}

// 300 * 300 is no float16.
TEST(RmsNormalization, OfHalvesIsCalculatedInFloat32) {
  ModelBuilder builder(23);
  builder.Input("x", {2}).Output("y").Floats("scale", {2}, {1, 2});
  builder.Node("Cast", {"x"}, {"halves"}).Int("to", 10);
  builder.Node("Cast", {"scale"}, {"half_scale"}).Int("to", 10);
  builder.Node("RMSNormalization", {"halves", "half_scale"}, {"z"}).Float("epsilon", 0);
  builder.Node("Cast", {"z"}, {"y"}).Int("to", 1);
  ExpectNearRms(builder.Run({{300, -300}}), {1, -2});
}

TEST(RmsNormalization, RefusesAScaleThatDoesNotBroadcast) {
  EXPECT_EQ(
      GetRmsReason(MakeRms("RMSNormalization", {3}, {1, 2, 3}), DiagnosticCode::kInvalidModel),
      "its scale is 3; a shape that broadcasts to that of its input, 2x2, is expected");
}

TEST(RmsNormalization, RefusesIntegersAndOtherStashTypes) {
  ModelBuilder integers(23);
  integers.Input("x", {2}).Output("y").Floats("scale", {2}, {1, 2});
  integers.Node("Cast", {"x"}, {"i"}).Int("to", 6);
  integers.Node("RMSNormalization", {"i", "scale"}, {"y"});
  EXPECT_EQ(GetRmsReason(integers, DiagnosticCode::kInvalidModel),
            "its input is int32; floating point is expected");
  ModelBuilder stashed = MakeRms("RMSNormalization", {2}, {1, 2});
  NodeBuilder(*stashed.GetProto().mutable_graph()->mutable_node(0)).Int("stash_type", 7);
  EXPECT_EQ(GetRmsReason(stashed, DiagnosticCode::kUnsupportedAttribute),
            "stash_type is 7; only 1 and 16 are supported");
}

TEST(SimplifiedLayerNormalization, GivesTheInverseOfTheRoot) {
  ModelBuilder builder(11);
  builder.Input("x", {2, 2}).Output("inverse", {2, 1}).Floats("scale", {2}, {1, 1});
  builder.Node("SimplifiedLayerNormalization", {"x", "scale"}, {"y", "inverse"})
      .Float("epsilon", 0);
  ExpectNearRms(builder.Run({kRmsRows}), {0.2F, 1});
}

ModelBuilder MakeSkipRms(const std::string& output) {
  ModelBuilder builder(11);
  auto* import = builder.GetProto().add_opset_import();
  import->set_domain("com.microsoft");
  import->set_version(1);
  builder.Input("x", {1, 2}).Input("skip", {1, 2}).Output(output, {-1, -1});
  builder.Floats("scale", {2}, {1, 10}).Floats("bias", {2}, {1, 0});
  builder
      .Node("SkipSimplifiedLayerNormalization", {"x", "skip", "scale", "bias"},
            {"y", "mean", "inverse", "sum"})
      .Domain("com.microsoft");
  return builder;
}

TEST(SkipSimplifiedLayerNormalization, NormalisesASumAndGivesAllOfIt) {
  const std::vector<Floats> inputs = {{1, 2}, {5, -3}};
  ExpectNearRms(MakeSkipRms("y").Run(inputs), {1.4F, -2});
  ExpectNearRms(MakeSkipRms("inverse").Run(inputs), {0.2F});
  ExpectNearRms(MakeSkipRms("sum").Run(inputs), {7, -1});
}

TEST(SkipSimplifiedLayerNormalization, RefusesAMean) {
  EXPECT_EQ(GetRmsReason(MakeSkipRms("mean"), DiagnosticCode::kInvalidModel),
            "its output mean is read; nothing is there, as no mean is calculated");
}

}  // namespace
}  // namespace backplane::onnx::test
