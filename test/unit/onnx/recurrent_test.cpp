#include "model_builder.hpp"

#include <backplane/api/descriptors/lstm.hpp>

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

constexpr const char* kRecurrentNothing = "";

/// An RNN that adds up its inputs: one input, one hidden unit, weights of 1. Its activation is
/// Affine with the parameters that the test gives.
ModelBuilder MakeSum(std::int64_t opset, const Dims& dims) {
  ModelBuilder builder(opset);
  builder.Input("x", dims).Floats("w", {1, 1, 1}, {1}).Floats("r", {1, 1, 1}, {1});
  return builder;
}

NodeBuilder AddSum(ModelBuilder& builder, const Names& inputs, const Names& outputs) {
  NodeBuilder node = builder.Node("RNN", inputs, outputs);
  ::onnx::NodeProto& proto = *builder.GetProto().mutable_graph()->mutable_node(0);
  auto& activations = *proto.add_attribute();
  activations.set_name("activations");
  activations.set_type(::onnx::AttributeProto::STRINGS);
  activations.add_strings("affine");
  auto& alphas = *proto.add_attribute();
  alphas.set_name("activation_alpha");
  alphas.set_type(::onnx::AttributeProto::FLOATS);
  alphas.add_floats(2);
  return node;
}

TEST(Recurrent, ReadsActivationsInAnyCaseWithTheirParameters) {
  ModelBuilder builder = MakeSum(14, {3, 1, 1});
  builder.Output("y", {-1, -1, -1, -1});
  AddSum(builder, {"x", "w", "r"}, {"y"}).Int("hidden_size", 1);
  EXPECT_EQ(builder.Run({{1, 2, 4}}), (Floats{2, 8, 24}));
}

TEST(Recurrent, GivesOnlyTheOutputsThatAreNamed) {
  ModelBuilder builder = MakeSum(7, {3, 1, 1});
  builder.Output("h", {-1, -1, -1});
  AddSum(builder, {"x", "w", "r"}, {kRecurrentNothing, "h"});
  EXPECT_EQ(builder.Run({{1, 2, 4}}), (Floats{24}));
}

TEST(Recurrent, PassesOverInputsThatAreAbsent) {
  ModelBuilder builder = MakeSum(14, {3, 1, 1});
  builder.Output("h", {-1, -1, -1}).Floats("start", {1, 1, 1}, {10});
  AddSum(builder, {"x", "w", "r", kRecurrentNothing, kRecurrentNothing, "start"},
         {kRecurrentNothing, "h"});
  EXPECT_EQ(builder.Run({{1, 2, 4}}), (Floats{24 + 80}));
}

TEST(Recurrent, ReadsTheLayoutAndTheFirstOperatorSet) {
  ModelBuilder batch_first = MakeSum(14, {1, 3, 1});
  batch_first.Output("y", {-1, -1, -1, -1});
  AddSum(batch_first, {"x", "w", "r"}, {"y"}).Int("layout", 1);
  EXPECT_EQ(batch_first.GetOutputShape(), (TensorShape{1, 3, 1, 1}));
  ModelBuilder first = MakeSum(1, {3, 1, 1});
  first.Output("y", {-1, -1, -1, -1});
  AddSum(first, {"x", "w", "r"}, {"y"}).Int("output_sequence", 1);
  EXPECT_EQ(first.Run({{1, 2, 4}}), (Floats{2, 8, 24}));
}

TEST(Recurrent, RefusesWhatDoesNotFit) {
  ModelBuilder size = MakeSum(14, {3, 1, 1});
  size.Output("y", {-1, -1, -1, -1});
  AddSum(size, {"x", "w", "r"}, {"y"}).Int("hidden_size", 2);
  Diagnostic error = size.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.causes.at(0).why, "hidden_size is 2"));
  ModelBuilder both = MakeSum(14, {3, 1, 1});
  both.Output("y", {-1, -1, -1, -1});
  AddSum(both, {"x", "w", "r"}, {"y"}).String("direction", "bidirectional");
  error = both.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.causes.at(0).why, "activations has 1 values; 2 are expected"));
  ModelBuilder sideways = MakeSum(14, {3, 1, 1});
  sideways.Output("y", {-1, -1, -1, -1});
  AddSum(sideways, {"x", "w", "r"}, {"y"}).String("direction", "sideways");
  EXPECT_EQ(sideways.ImportError().code, DiagnosticCode::kUnsupportedAttribute);
}

}  // namespace
}  // namespace backplane::onnx::test
