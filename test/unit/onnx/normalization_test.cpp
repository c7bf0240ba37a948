#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

void ExpectNearNormalization(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

std::string GetNormalizationReason(const ModelBuilder& builder, DiagnosticCode code) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, code);
  return error.causes.empty() ? error.why : error.causes.at(0).what + ": " + error.causes.at(0).why;
}

/// Parameters with which an element x of the first channel becomes 2 * x + 1, and one of the second
/// 10 * (x - 3).
ModelBuilder MakeBatchNormalization(std::int64_t opset, const Dims& dims,
                                    const Names& outputs = {"y"}) {
  ModelBuilder builder(opset);
  builder.Input("x", dims).Output("y", Dims(dims.size(), -1));
  builder.Floats("scale", {2}, {2, 20}).Floats("bias", {2}, {1, 0});
  builder.Floats("mean", {2}, {0, 3}).Floats("variance", {2}, {0.5F, 3.5F});
  NodeBuilder node =
      builder.Node("BatchNormalization", {"x", "scale", "bias", "mean", "variance"}, outputs);
  node.Float("epsilon", 0.5F);
  if (opset == 1) node.Ints("consumed_inputs", {0, 0, 0, 1, 1});
  return builder;
}

void AddInt(ModelBuilder& builder, const std::string& name, std::int64_t value) {
  auto* attribute = builder.GetProto().mutable_graph()->mutable_node(0)->add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::INT);
  attribute->set_i(value);
}

TEST(BatchNormalization, NormalisesChannelsInEveryOperatorSet) {
  for (const std::int64_t opset : {1, 6, 7, 9, 14, 15, 17}) {
    SCOPED_TRACE(opset);
    ExpectNearNormalization(MakeBatchNormalization(opset, {1, 2, 2}).Run({{0, 1, 3, 4}}),
                            {1, 3, 0, 10});
  }
}

TEST(BatchNormalization, ReadsWhatSaysThatItDoesNotTrain) {
  ModelBuilder old = MakeBatchNormalization(1, {1, 2});
  AddInt(old, "is_test", 1);
  AddInt(old, "spatial", 1);
  ExpectNearNormalization(old.Run({{1, 4}}), {3, 10});
  ModelBuilder recent = MakeBatchNormalization(15, {1, 2});
  AddInt(recent, "training_mode", 0);
  ExpectNearNormalization(recent.Run({{1, 4}}), {3, 10});
}

TEST(BatchNormalization, WithoutSpatialHasStatisticsForEachElement) {
  ModelBuilder builder = MakeBatchNormalization(7, {2, 1, 2});
  AddInt(builder, "spatial", 0);
  ExpectNearNormalization(builder.Run({{0, 3, 1, 4}}), {1, 0, 3, 10});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{2, 1, 2}));
}

TEST(BatchNormalization, AVectorHasOneChannel) {
  ModelBuilder builder(15);
  builder.Input("x", {3}).Output("y").Floats("one", {1}, {1}).Floats("zero", {1}, {0});
  builder.Node("BatchNormalization", {"x", "one", "one", "zero", "one"}, {"y"}).Float("epsilon", 0);
  ExpectNearNormalization(builder.Run({{0, 1, 2}}), {1, 2, 3});
}

// The channels 1, 3 and 4, 8 have the means 2 and 6, and the variances 1 and 4.
TEST(BatchNormalization, TrainsWithTheStatisticsOfItsInput) {
  const std::pair<const char*, Floats> cases[] = {
      {"y",
       {-2 / std::sqrt(1.5F) + 1, 2 / std::sqrt(1.5F) + 1, -40 / std::sqrt(4.5F),
        40 / std::sqrt(4.5F)}},
      {"running_mean", {0 * 0.75F + 2 * 0.25F, 3 * 0.75F + 6 * 0.25F}},
      {"running_variance", {0.5F * 0.75F + 1 * 0.25F, 3.5F * 0.75F + 4 * 0.25F}}};
  for (const auto& [output, expected] : cases) {
    SCOPED_TRACE(output);
    ModelBuilder builder(15);
    builder.Input("x", {1, 2, 2}).Output(output, Dims(output[0] == 'y' ? 3 : 1, -1));
    builder.Floats("scale", {2}, {2, 20}).Floats("bias", {2}, {1, 0});
    builder.Floats("mean", {2}, {0, 3}).Floats("variance", {2}, {0.5F, 3.5F});
    builder
        .Node("BatchNormalization", {"x", "scale", "bias", "mean", "variance"},
              {"y", "running_mean", "running_variance"})
        .Int("training_mode", 1)
        .Float("momentum", 0.75F)
        .Float("epsilon", 0.5F);
    ExpectNearNormalization(builder.Run({{1, 3, 4, 8}}), expected);
  }
}

TEST(BatchNormalization, RefusesTrainingBeforeItWasAnAttribute) {
  ModelBuilder outputs = MakeBatchNormalization(
      9, {1, 2}, {"y", "new_mean", "new_variance", "saved_mean", "saved_variance"});
  EXPECT_NO_THROW(outputs.Import());
  outputs.Output("new_mean");
  EXPECT_TRUE(Contains(GetNormalizationReason(outputs, DiagnosticCode::kUnsupportedAttribute),
                       "statistics of training"));
}

TEST(BatchNormalization, RefusesParametersOfAnotherSize) {
  EXPECT_TRUE(Contains(
      GetNormalizationReason(MakeBatchNormalization(15, {1, 3}), DiagnosticCode::kInvalidModel),
      "its input scale is 2; 3 elements are expected"));
}

TEST(InstanceNormalization, NormalisesChannelsOfEachEntry) {
  for (const std::int64_t opset : {1, 6, 17}) {
    ModelBuilder builder(opset);
    builder.Input("x", {1, 2, 2}).Output("y", {-1, -1, -1});
    builder.Floats("scale", {2}, {1, 10}).Floats("bias", {2}, {0, 5});
    NodeBuilder node = builder.Node("InstanceNormalization", {"x", "scale", "bias"}, {"y"});
    node.Float("epsilon", 0);
    if (opset == 1) node.Ints("consumed_inputs", {0});
    ExpectNearNormalization(builder.Run({{1, 3, -4, 4}}), {-1, 1, -5, 15});
  }
}

ModelBuilder MakeLayerNormalization(const Dims& scale, const Names& outputs) {
  ModelBuilder builder(17);
  builder.Input("x", {2, 2}).Floats("scale", scale, Floats{2, 4});
  for (const std::string& output : outputs) builder.Output(output, {-1, -1});
  builder.Node("LayerNormalization", {"x", "scale"}, {"y", "mean", "inverse"}).Float("epsilon", 0);
  return builder;
}

TEST(LayerNormalization, NormalisesTheLastAxisByDefault) {
  const ModelBuilder builder = MakeLayerNormalization({2}, {"y"});
  ExpectNearNormalization(builder.Run({{1, 3, -4, 4}}), {-2, 4, -2, 4});
  EXPECT_EQ(builder.Import().network->GetNumOperators(), 1U);
}

TEST(LayerNormalization, GivesTheStatisticsThatAreRead) {
  ExpectNearNormalization(MakeLayerNormalization({2}, {"mean"}).Run({{1, 3, -4, 4}}), {2, 0});
  ExpectNearNormalization(MakeLayerNormalization({2}, {"inverse"}).Run({{1, 3, -4, 4}}),
                          {1, 0.25F});
  EXPECT_EQ(MakeLayerNormalization({2}, {"inverse"}).GetOutputShape(), (TensorShape{2, 1}));
}

TEST(LayerNormalization, TakesAScaleWithFurtherAxes) {
  ExpectNearNormalization(MakeLayerNormalization({1, 2}, {"y"}).Run({{1, 3, -4, 4}}),
                          {-2, 4, -2, 4});
}

TEST(LayerNormalization, RepeatsAScale) {
  ModelBuilder builder(17);
  builder.Input("x", {1, 2, 2}).Output("y", {-1, -1, -1}).Floats("scale", {2, 1}, {1, 10});
  builder.Node("LayerNormalization", {"x", "scale"}, {"y"}).Int("axis", 1).Float("epsilon", 0);
  ExpectNearNormalization(builder.Run({{1, 3, 3, 1}}), {-1, 1, 10, -10});
}

TEST(LayerNormalization, RefusesAScaleThatVariesOutsideOfWhatIsNormalised) {
  EXPECT_TRUE(Contains(GetNormalizationReason(MakeLayerNormalization({2, 1}, {"y"}),
                                              DiagnosticCode::kUnsupportedAttribute),
                       "its input 1 is 2x1"));
}

TEST(LayerNormalization, RefusesOtherStashTypes) {
  ModelBuilder builder = MakeLayerNormalization({2}, {"y"});
  AddInt(builder, "stash_type", 11);
  EXPECT_TRUE(Contains(GetNormalizationReason(builder, DiagnosticCode::kUnsupportedAttribute),
                       "only 1 and 16"));
}

ModelBuilder MakeSkipLayerNormalization(const Names& outputs) {
  ModelBuilder builder;
  auto* import = builder.GetProto().add_opset_import();
  import->set_domain("com.microsoft");
  import->set_version(1);
  builder.Input("x", {1, 2}).Input("skip", {1, 2});
  for (const std::string& output : outputs) builder.Output(output, {-1, -1});
  builder.Floats("gamma", {2}, {1, 10}).Floats("beta", {2}, {0, 1}).Floats("bias", {2}, {5, 5});
  builder
      .Node("SkipLayerNormalization", {"x", "skip", "gamma", "beta", "bias"},
            {"y", "mean", "inverse", "sum"})
      .Domain("com.microsoft")
      .Float("epsilon", 0);
  return builder;
}

TEST(SkipLayerNormalization, NormalisesASum) {
  ExpectNearNormalization(MakeSkipLayerNormalization({"y"}).Run({{1, 2}, {3, 4}}), {-1, 11});
  ExpectNearNormalization(MakeSkipLayerNormalization({"sum"}).Run({{1, 2}, {3, 4}}), {9, 11});
}

TEST(SkipLayerNormalization, GivesTheStatisticsOfTheSum) {
  ExpectNearNormalization(MakeSkipLayerNormalization({"mean"}).Run({{1, 2}, {3, 4}}), {10});
  ExpectNearNormalization(MakeSkipLayerNormalization({"inverse"}).Run({{1, 2}, {3, 4}}), {1});
}

TEST(LocalResponseNormalization, ReadsItsFactors) {
  ModelBuilder builder;
  builder.Input("x", {1, 3}).Output("y", {-1, -1});
  builder.Node("LRN", {"x"}, {"y"})
      .Int("size", 3)
      .Float("alpha", 3)
      .Float("beta", 1)
      .Float("bias", 1);
  ExpectNearNormalization(builder.Run({{1, 2, 0}}), {1.0F / 6, 2.0F / 6, 0});
}

TEST(LocalResponseNormalization, RefusesNoNeighbours) {
  ModelBuilder builder;
  builder.Input("x", {1, 3}).Output("y", {-1, -1}).Node("LRN", {"x"}, {"y"}).Int("size", 0);
  EXPECT_TRUE(
      Contains(GetNormalizationReason(builder, DiagnosticCode::kInvalidModel), "its size is 0"));
}

TEST(MeanVarianceNormalization, NormalisesImagesByDefault) {
  ModelBuilder builder;
  builder.Input("x", {1, 2, 1, 2}).Output("y", {-1, -1, -1, -1});
  builder.Node("MeanVarianceNormalization", {"x"}, {"y"});
  ExpectNearNormalization(builder.Run({{1, 3, -4, 4}}), {-1, 1, -1, 1});
  EXPECT_EQ(builder.Import().network->GetNumOperators(), 1U);
}

TEST(LpNormalization, ReadsItsOrder) {
  const auto run = [](std::int64_t p) {
    ModelBuilder builder;
    builder.Input("x", {2, 2}).Output("y", {-1, -1});
    builder.Node("LpNormalization", {"x"}, {"y"}).Int("p", p).Int("axis", 0);
    return builder;
  };
  ExpectNearNormalization(run(1).Run({{3, 0, 4, 0}}), {3.0F / 7, 0, 4.0F / 7, 0});
  ExpectNearNormalization(run(2).Run({{3, 0, 4, 0}}), {0.6F, 0, 0.8F, 0});
  EXPECT_TRUE(Contains(GetNormalizationReason(run(3), DiagnosticCode::kUnsupportedAttribute),
                       "only 1 and 2"));
}

}  // namespace
}  // namespace backplane::onnx::test
