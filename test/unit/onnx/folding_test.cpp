#include "graph/graph_import.hpp"
#include "model_builder.hpp"
#include "values/elements.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

// What the operators give is checked with the operator tests of ONNX, see test/conformance/onnx.

std::size_t CountLayersFolding(ModelBuilder& builder) {
  return builder.Import().network->GetNumOperators();
}

TEST(Folding, FollowsShapesThroughAGraph) {
  ModelBuilder builder;
  builder.Input("x", {2, 3, 4}).Output("y");
  builder.Int64s("first", {0}).Int64s("rest", {-1});
  builder.Node("Shape", {"x"}, {"dims"});
  builder.Node("Gather", {"dims", "first"}, {"batch"});
  builder.Node("Concat", {"batch", "rest"}, {"wanted"}).Int("axis", 0);
  builder.Node("Reshape", {"x", "wanted"}, {"y"});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{2, 12}));
  EXPECT_EQ(CountLayersFolding(builder), 1U);
}

TEST(Folding, MakesConstantsOfWeightsThatAreGenerated) {
  ModelBuilder builder;
  builder.Input("x", {1, 2, 4, 4}).Output("y").Int64s("dims", {3, 2, 1, 1});
  builder.Node("ConstantOfShape", {"dims"}, {"w"}).Tensor("value", MakeFloats("", {1}, {0.5F}));
  builder.Node("Conv", {"x", "w"}, {"y"});
  EXPECT_EQ(CountLayersFolding(builder), 1U);
  EXPECT_EQ(builder.Run({std::vector<float>(32, 1)}), std::vector<float>(48, 1));
}

TEST(Folding, TakesTheTypeThatAConstantOfShapeStates) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("y").Int64s("dims", {2});
  builder.Node("ConstantOfShape", {"dims"}, {"zeros"});
  builder.Node("Add", {"x", "zeros"}, {"y"});
  EXPECT_EQ(builder.Run({{1, 2}}), (std::vector<float>{1, 2}));
}

TEST(Folding, IsLeftAloneWhereAnInputIsNotConstant) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("y").Floats("one", {1}, {1});
  builder.Node("Add", {"x", "one"}, {"y"});
  EXPECT_EQ(CountLayersFolding(builder), 1U);
}

TEST(Folding, EvaluatesArithmeticOfConstants) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y").Floats("a", {1}, {3}).Floats("b", {1}, {4});
  builder.Node("Mul", {"a", "b"}, {"ab"});
  builder.Node("Sqrt", {"ab"}, {"root"});
  builder.Node("Mul", {"root", "root"}, {"square"});
  builder.Node("Round", {"square"}, {"rounded"});
  builder.Node("Add", {"x", "rounded"}, {"y"});
  EXPECT_EQ(CountLayersFolding(builder), 1U);
  EXPECT_EQ(builder.Run({{1}}), (std::vector<float>{13}));
}

TEST(Folding, EvaluatesProductsOfExtents) {
  ModelBuilder builder(26);
  builder.Input("x", {2, 3, 4}).Output("y").Int64s("axis", {0}).Int64s("last", {2});
  builder.Node("Shape", {"x"}, {"dims"});
  builder.Node("CumProd", {"dims", "axis"}, {"counts"});
  builder.Node("Gather", {"counts", "last"}, {"count"});
  builder.Node("Reshape", {"x", "count"}, {"y"});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{24}));
  EXPECT_EQ(CountLayersFolding(builder), 1U);
}

/// Imports the nodes of a model and finds what they make.
class FoldedModel {
 public:
  explicit FoldedModel(ModelBuilder& builder) : import_("m.onnx"), scope_(import_, *network_) {
    const ::onnx::GraphProto& graph = builder.GetProto().graph();
    const auto versions = std::make_shared<NodeVersions>();
    versions->opsets = ReadOpsets(builder.GetProto().opset_import());
    scope_.versions = versions;
    scope_.owner = std::shared_ptr<const void>(std::shared_ptr<const void>(), &builder);
    import_.AddInitializers(graph, scope_);
    import_.ImportNodes(graph.node(), scope_);
  }

  const Value* Find(const std::string& name) { return scope_.values.Find(name); }

 private:
  std::unique_ptr<INetwork> network_ = INetwork::Create("n");
  GraphImport import_;
  Scope scope_;
};

TEST(Folding, KeepsTheMemoryOfOneTensorInBounds) {
  ModelBuilder builder;
  builder.Int64s("fits", {16 << 18}).Int64s("large", {(16 << 18) + 1}).Floats("f", {1}, {1});
  builder.Node("Expand", {"f", "fits"}, {"folded"});
  builder.Node("Expand", {"f", "large"}, {"layer"});
  FoldedModel model(builder);
  ASSERT_NE(model.Find("folded"), nullptr);
  EXPECT_TRUE(model.Find("folded")->is_constant);
  // A layer, or refused where there is none: no memory is taken for it.
  EXPECT_TRUE(model.Find("layer") == nullptr || !model.Find("layer")->is_constant);
}

TEST(Folding, KeepsTheMemoryOfAllTensorsInBounds) {
  ModelBuilder builder;
  builder.Int64s("dims", {16 << 18}).Floats("f", {1}, {1});
  constexpr int kNumNodes = 34;
  for (int i = 0; i < kNumNodes; ++i) {
    builder.Node("Expand", {"f", "dims"}, {"y" + std::to_string(i)});
  }
  FoldedModel model(builder);
  int num_folded = 0;
  for (int i = 0; i < kNumNodes; ++i) {
    const Value* value = model.Find("y" + std::to_string(i));
    if (value != nullptr && value->is_constant) ++num_folded;
  }
  EXPECT_EQ(num_folded, 32);
}

TEST(Folding, OfIndicesOutsideIsLeftToTheConversion) {
  ModelBuilder builder;
  builder.Int64s("list", {1, 2, 3}).Int64s("far", {7}).Int64s("last", {-1});
  builder.Node("Gather", {"list", "far"}, {"outside"});
  builder.Node("Gather", {"list", "last"}, {"inside"});
  FoldedModel model(builder);
  const Value* outside = model.Find("outside");
  EXPECT_TRUE(outside == nullptr || !outside->is_constant);
  ASSERT_NE(model.Find("inside"), nullptr);
  EXPECT_EQ(ReadElements<std::int64_t>(*model.Find("inside")), (Dims{3}));
}

}  // namespace
}  // namespace backplane::onnx::test
