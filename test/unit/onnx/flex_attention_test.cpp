#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

/// Two heads of queries of size 1 that share two keys, 0 and log(3), with the values 0 and 8.
ModelBuilder MakeFlex() {
  ModelBuilder builder(26);
  auto& import = *builder.GetProto().add_opset_import();
  import.set_domain("ai.onnx.preview");
  import.set_version(1);
  builder.Input("q", {1, 2, 1, 1}).Output("y", {-1, -1, -1, -1});
  builder.Floats("k", {1, 1, 2, 1}, {0, std::log(3.0F)}).Floats("v", {1, 1, 2, 1}, {0, 8});
  builder.Node("FlexAttention", {"q", "k", "v"}, {"y"}).Domain("ai.onnx.preview");
  return builder;
}

::onnx::NodeProto& GetFlexNode(ModelBuilder& builder) {
  return *builder.GetProto().mutable_graph()->mutable_node(0);
}

/// A graph of one node, which also reads `factor`.
void AddGraph(ModelBuilder& builder, const std::string& name, const std::string& op_type,
              const Dims& factor_dims, const Floats& factor) {
  auto& attribute = *GetFlexNode(builder).add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::GRAPH);
  auto& graph = *attribute.mutable_g();
  graph.set_name(name);
  graph.add_input()->set_name("x");
  graph.add_output()->set_name("z");
  *graph.add_initializer() = MakeFloats("factor", factor_dims, factor);
  auto& node = *graph.add_node();
  node.set_op_type(op_type);
  node.add_input("x");
  node.add_input("factor");
  node.add_output("z");
}

void ExpectFlex(const ModelBuilder& builder, const Floats& expected) {
  const Floats found = builder.Run({{0, 1}});
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

Diagnostic GetFlexCause(const ModelBuilder& builder) {
  const Diagnostic error = builder.ImportError();
  return error.causes.empty() ? error : error.causes[0];
}

TEST(FlexAttention, IsAttentionWithoutGraphs) {
  ExpectFlex(MakeFlex(), {4, 6});
  ModelBuilder scaled = MakeFlex();
  NodeBuilder(GetFlexNode(scaled)).Float("scale", 0);
  ExpectFlex(scaled, {4, 4});
}

TEST(FlexAttention, TakesScoresAndProbabilitiesThroughGraphs) {
  ModelBuilder scores = MakeFlex();
  AddGraph(scores, "score_mod", "Mul", {1}, {0});
  ExpectFlex(scores, {4, 4});
  ModelBuilder probabilities = MakeFlex();
  AddGraph(probabilities, "prob_mod", "Mul", {1}, {10});
  ExpectFlex(probabilities, {40, 60});
}

TEST(FlexAttention, HasNamesOfItsOwnInEachGraph) {
  ModelBuilder builder = MakeFlex();
  NodeBuilder(GetFlexNode(builder)).Name("flex");
  AddGraph(builder, "score_mod", "Mul", {1}, {0});
  AddGraph(builder, "prob_mod", "Mul", {1}, {10});
  ExpectFlex(builder, {40, 40});
}

TEST(FlexAttention, RefusesGraphsThatChangeTheShape) {
  ModelBuilder builder = MakeFlex();
  AddGraph(builder, "score_mod", "Add", {3, 1, 1, 1, 1}, {1, 2, 3});
  EXPECT_EQ(GetFlexCause(builder).why,
            "its score_mod makes 3x1x2x1x2 float32 of 1x2x1x2 float32; the same is expected");
}

TEST(FlexAttention, RefusesGraphsOfMoreInputs) {
  ModelBuilder builder = MakeFlex();
  AddGraph(builder, "prob_mod", "Add", {1}, {1});
  GetFlexNode(builder).mutable_attribute(0)->mutable_g()->add_input()->set_name("w");
  EXPECT_EQ(GetFlexCause(builder).why,
            "its graph prob_mod has 2 inputs and 1 outputs; one of each is expected");
}

TEST(FlexAttention, ReportsWhatFailsInAGraph) {
  ModelBuilder builder = MakeFlex();
  AddGraph(builder, "score_mod", "SequenceAt", {1}, {1});
  EXPECT_EQ(GetFlexCause(builder).code, DiagnosticCode::kUnsupportedOperator);
}

TEST(FlexAttention, RefusesOtherRanksAndPrecisions) {
  ModelBuilder precision = MakeFlex();
  NodeBuilder(GetFlexNode(precision)).Int("softmax_precision", 7);
  EXPECT_EQ(GetFlexCause(precision).why,
            "softmax_precision is 7; types of floating point are supported");
  ModelBuilder keys = MakeFlex();
  keys.GetProto().mutable_graph()->mutable_initializer(0)->clear_dims();
  keys.GetProto().mutable_graph()->mutable_initializer(0)->add_dims(2);
  EXPECT_EQ(GetFlexCause(keys).why,
            "its queries, keys and values are 1x2x1x1, 2 and 1x1x2x1; [batch, heads, length, size] "
            "is expected, with the same number of keys and values");
}

}  // namespace
}  // namespace backplane::onnx::test
