#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

void ExpectNearLinear(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4F) << i;
}

std::string GetLinearReason(const ModelBuilder& builder, DiagnosticCode code) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, code);
  return error.causes.empty() ? error.why : error.causes[0].why;
}

/// One head of size 1 over two steps, with keys 1 and 2, values 3 and 4 and a past state of 10.
/// Decays are log(1/2), betas 1/2.
ModelBuilder MakeLinear(const std::string& rule, const std::string& output, const Names& more) {
  ModelBuilder builder(27);
  builder.Input("q", {1, 2, 1}).Output(output, Dims(output == "y" ? 3 : 4, -1));
  builder.Floats("k", {1, 2, 1}, {1, 2}).Floats("v", {1, 2, 1}, {3, 4});
  builder.Floats("past", {1, 1, 1, 1}, {10});
  builder.Floats("decay", {1, 2, 1}, Floats(2, std::log(0.5F)));
  builder.Floats("beta", {1, 2, 1}, {0.5F, 0.5F});
  Names inputs = {"q", "k", "v", "past"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  builder.Node("LinearAttention", inputs, {"y", "state"})
      .Int("q_num_heads", 1)
      .Int("kv_num_heads", 1)
      .String("update_rule", rule);
  return builder;
}

TEST(LinearAttention, AddsProductsOfKeysAndValues) {
  ExpectNearLinear(MakeLinear("linear", "y", {}).Run({{1, 10}}), {13, 210});
  ExpectNearLinear(MakeLinear("linear", "state", {}).Run({{1, 10}}), {21});
}

TEST(LinearAttention, DecaysTheState) {
  // 10 / 2 + 3, and (8 / 2) + 8.
  ExpectNearLinear(MakeLinear("gated", "y", {"decay"}).Run({{1, 1}}), {8, 12});
}

TEST(LinearAttention, TakesAwayWhatTheStateHas) {
  // 10 + (3 - 10) / 2 = 6.5, and 6.5 + 2 * (4 - 13) / 2.
  ExpectNearLinear(MakeLinear("delta", "y", {"", "beta"}).Run({{1, 1}}), {6.5F, -2.5F});
}

TEST(LinearAttention, DoesBoth) {
  // 5 + (3 - 5) / 2 = 4, and 2 + 2 * (4 - 4) / 2.
  ExpectNearLinear(MakeLinear("gated_delta", "y", {"decay", "beta"}).Run({{1, 1}}), {4, 2});
}

// Two heads of queries read the state of one; the scale is 1 / sqrt(4).
TEST(LinearAttention, SharesTheStateOfAGroup) {
  ModelBuilder builder(27);
  builder.Input("q", {1, 1, 8}).Output("y", {-1, -1, -1});
  builder.Floats("k", {1, 1, 4}, {1, 2, 3, 4}).Floats("v", {1, 1, 2}, {1, 10});
  builder.Node("LinearAttention", {"q", "k", "v"}, {"y", "state"})
      .Int("q_num_heads", 2)
      .Int("kv_num_heads", 1)
      .String("update_rule", "linear");
  ExpectNearLinear(builder.Run({{1, 0, 0, 0, 0, 0, 0, 1}}), {0.5F, 5, 2, 20});
}

TEST(LinearAttention, RefusesWhatDoesNotFit) {
  EXPECT_EQ(GetLinearReason(MakeLinear("gated", "y", {}), DiagnosticCode::kInvalidModel),
            "its update_rule is gated, with which it needs a decay and cannot have a beta");
  EXPECT_EQ(GetLinearReason(MakeLinear("cubic", "y", {}), DiagnosticCode::kUnsupportedAttribute),
            "update_rule is cubic; linear, gated, delta and gated_delta are supported");
  ModelBuilder heads = MakeLinear("linear", "y", {});
  heads.GetProto().mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_i(0);
  EXPECT_EQ(GetLinearReason(heads, DiagnosticCode::kInvalidModel),
            "q_num_heads is 0; a number above 0 is expected");
}

ModelBuilder MakeLongLinear(std::int64_t steps, int num_nodes) {
  ModelBuilder builder(27);
  builder.Input("q", {1, steps, 1}).Input("k", {1, steps, 1}).Input("v", {1, steps, 1});
  for (int index = 0; index < num_nodes; ++index) {
    const std::string output = "y" + std::to_string(index);
    builder.Output(output, {-1, -1, -1});
    builder.Node("LinearAttention", {"q", "k", "v"}, {output, "state" + std::to_string(index)})
        .Int("q_num_heads", 1)
        .Int("kv_num_heads", 1)
        .String("update_rule", "linear");
  }
  return builder;
}

TEST(LinearAttention, RefusesMoreStepsThanLayersCanBeMadeOf) {
  EXPECT_EQ(GetLinearReason(MakeLongLinear(2049, 1), DiagnosticCode::kUnsupportedAttribute),
            "its length is 2049; 1 to 2048 steps are supported");
}

// The layers of all nodes count together.
TEST(LinearAttention, RefusesStepsOfManyNodes) {
  EXPECT_TRUE(Contains(GetLinearReason(MakeLongLinear(2048, 30), DiagnosticCode::kInvalidModel),
                       "more than 1048576 of them"));
}

}  // namespace
}  // namespace backplane::onnx::test
