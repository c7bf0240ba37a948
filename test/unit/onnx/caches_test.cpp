#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

std::string GetCacheReason(const ModelBuilder& builder, DiagnosticCode code) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, code);
  return error.causes.empty() ? error.why : error.causes[0].why;
}

/// A cache of two entries with three places of one element, which are 1 to 6.
ModelBuilder MakeScatter(const Dims& update, const Dims& first_places) {
  ModelBuilder builder(24);
  builder.Input("update", update).Output("y", {-1, -1, -1});
  builder.Floats("cache", {2, 3, 1}, {1, 2, 3, 4, 5, 6});
  if (!first_places.empty()) builder.Int64s("first", first_places);
  builder.Node("TensorScatter", {"cache", "update", first_places.empty() ? "" : "first"}, {"y"});
  return builder;
}

NodeBuilder GetCacheNode(ModelBuilder& builder) {
  return NodeBuilder(*builder.GetProto().mutable_graph()->mutable_node(0));
}

TEST(TensorScatter, WritesEachEntryFromItsPlaceOn) {
  EXPECT_EQ(MakeScatter({2, 2, 1}, {0, 1}).Run({{10, 20, 30, 40}}), (Floats{10, 20, 3, 4, 30, 40}));
}

TEST(TensorScatter, WrapsAroundWhenItIsCircular) {
  ModelBuilder builder = MakeScatter({2, 2, 1}, {2, 4});
  GetCacheNode(builder).String("mode", "circular");
  EXPECT_EQ(builder.Run({{10, 20, 30, 40}}), (Floats{20, 2, 10, 4, 30, 40}));
}

TEST(TensorScatter, WritesAtTheStartWithoutPlaces) {
  EXPECT_EQ(MakeScatter({2, 1, 1}, {}).Run({{10, 20}}), (Floats{10, 2, 3, 20, 5, 6}));
  EXPECT_EQ(MakeScatter({2, 3, 1}, {}).Run({{7, 8, 9, 10, 11, 12}}), (Floats{7, 8, 9, 10, 11, 12}));
}

// Two heads in front of the axis.
TEST(TensorScatter, WritesAlongALaterAxis) {
  ModelBuilder builder(24);
  builder.Input("update", {1, 2, 1, 2}).Output("y", {-1, -1, -1, -1});
  builder.Floats("cache", {1, 2, 2, 2}, Floats(8, 0)).Int64s("first", {1});
  builder.Node("TensorScatter", {"cache", "update", "first"}, {"y"});
  EXPECT_EQ(builder.Run({{1, 2, 3, 4}}), (Floats{0, 0, 1, 2, 0, 0, 3, 4}));
}

TEST(TensorScatter, RefusesWhatDoesNotFit) {
  EXPECT_EQ(GetCacheReason(MakeScatter({2, 4, 1}, {}), DiagnosticCode::kInvalidModel),
            "its update is 2x4x1 and its cache 2x3x1; the same shape, or less along axis 1, is "
            "expected");
  EXPECT_EQ(GetCacheReason(MakeScatter({2, 1, 1}, {0}), DiagnosticCode::kInvalidModel),
            "its write_indices are 1; 2 is expected");
  ModelBuilder batch = MakeScatter({2, 1, 1}, {});
  GetCacheNode(batch).Int("axis", 0);
  EXPECT_EQ(GetCacheReason(batch, DiagnosticCode::kInvalidModel),
            "its axis is 0, that of the batch; a later one is expected");
  ModelBuilder mode = MakeScatter({2, 1, 1}, {});
  GetCacheNode(mode).String("mode", "spiral");
  EXPECT_EQ(GetCacheReason(mode, DiagnosticCode::kUnsupportedAttribute),
            "mode is spiral; linear and circular are supported");
}

/// Sums of twice an element and the one before.
ModelBuilder MakeCausalConv(const std::string& output, const Names& more = {}) {
  ModelBuilder builder(27);
  builder.Input("x", {1, 1, 3}).Output(output, {-1, -1, -1});
  builder.Floats("w", {1, 1, 2}, {1, 2}).Floats("bias", {1}, {100});
  builder.Floats("past", {1, 1, 1}, {10});
  Names inputs = {"x", "w"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  builder.Node("CausalConvWithState", inputs, {"y", "state"});
  return builder;
}

TEST(CausalConvWithState, SumsUpWhatCameBefore) {
  EXPECT_EQ(MakeCausalConv("y").Run({{1, 2, 3}}), (Floats{2, 5, 8}));
  EXPECT_EQ(MakeCausalConv("y", {"bias", "past"}).Run({{1, 2, 3}}), (Floats{112, 105, 108}));
}

TEST(CausalConvWithState, GivesWhatComesBeforeTheNextInput) {
  EXPECT_EQ(MakeCausalConv("state", {"", "past"}).Run({{1, 2, 3}}), (Floats{3}));
}

TEST(CausalConvWithState, HasASwish) {
  for (const char* name : {"silu", "swish"}) {
    ModelBuilder builder = MakeCausalConv("y");
    GetCacheNode(builder).String("activation", name);
    EXPECT_NEAR(builder.Run({{1, 2, 3}})[0], 1.7615942F, 1e-5F) << name;
  }
}

TEST(CausalConvWithState, RefusesWhatDoesNotFit) {
  ModelBuilder builder = MakeCausalConv("y");
  GetCacheNode(builder).String("activation", "relu");
  EXPECT_EQ(GetCacheReason(builder, DiagnosticCode::kUnsupportedAttribute),
            "activation is relu; none, silu and swish are supported");
  EXPECT_EQ(GetCacheReason(MakeCausalConv("y", {"", "w"}), DiagnosticCode::kInvalidModel),
            "its past_state is 1x1x2; 1x1x1 is expected");
  ModelBuilder flat(27);
  flat.Input("x", {1, 3}).Output("y").Floats("w", {1, 1, 2}, {1, 2});
  flat.Node("CausalConvWithState", {"x", "w"}, {"y"});
  EXPECT_EQ(GetCacheReason(flat, DiagnosticCode::kInvalidModel),
            "its input is 1x3 and its weights 1x1x2; [batch, channels, length] and [channels, 1, "
            "kernel] are expected");
}

}  // namespace
}  // namespace backplane::onnx::test
