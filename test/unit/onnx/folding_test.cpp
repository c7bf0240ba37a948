#include "graph/graph_import.hpp"
#include "model_builder.hpp"
#include "operators/operator_table.hpp"
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

TEST(Folding, OfEachOperatorButChoicesIsByItsConversion) {
#define BACKPLANE_ONNX_CHOICE(op, inputs)
#define BACKPLANE_ONNX_FOLDING(op, inputs) EXPECT_NE(FindConverter("", #op), nullptr) << #op;
#include "folding/foldings.def"
#undef BACKPLANE_ONNX_FOLDING
#undef BACKPLANE_ONNX_CHOICE
}

TEST(Folding, ComputesEveryTypeThatLayersHave) {
  ModelBuilder builder;
  builder.Floats("real", {2}, {3, 0.1F});
  builder.Node("Cast", {"real"}, {"half"}).Int("to", ::onnx::TensorProto::FLOAT16);
  builder.Node("Mul", {"half", "half"}, {"square"});
  builder.Node("Concat", {"half", "square"}, {"both"}).Int("axis", 0);
  builder.Node("TopK", {"both", "count"}, {"most", "places"});
  builder.Int64s("count", {2});
  FoldedModel model(builder);
  ASSERT_NE(model.Find("most"), nullptr);
  ASSERT_TRUE(model.Find("most")->is_constant);
  EXPECT_EQ(model.Find("most")->info.data_type, DataType::kFloat16);
  EXPECT_EQ(ReadElements<double>(*model.Find("most")), (std::vector<double>{9, 3}));
  EXPECT_EQ(ReadElements<std::int64_t>(*model.Find("places")), (Dims{2, 0}));
}

TEST(Folding, CountsIntegersThatNoRealHolds) {
  constexpr std::int64_t kStart = std::int64_t{1} << 60;
  ModelBuilder builder;
  builder.Int64s("start", {kStart}).Int64s("limit", {kStart + 5}).Int64s("delta", {2});
  builder.Int64s("back", {-4});
  builder.Node("Range", {"start", "limit", "delta"}, {"up"});
  builder.Node("Range", {"limit", "start", "back"}, {"down"});
  builder.Node("Range", {"start", "limit", "back"}, {"none"});
  FoldedModel model(builder);
  for (const char* const name : {"up", "down", "none"}) ASSERT_NE(model.Find(name), nullptr);
  EXPECT_EQ(ReadElements<std::int64_t>(*model.Find("up")), (Dims{kStart, kStart + 2, kStart + 4}));
  EXPECT_EQ(ReadElements<std::int64_t>(*model.Find("down")), (Dims{kStart + 5, kStart + 1}));
  EXPECT_EQ(ReadElements<std::int64_t>(*model.Find("none")), (Dims{}));
}

TEST(Folding, ScattersWithAReduction) {
  ModelBuilder builder(18);
  builder.Int64s("data", {1, 2, 3}).Int64s("at", {1, 1}).Int64s("updates", {10, 20});
  builder.Node("ScatterElements", {"data", "at", "updates"}, {"sums"}).String("reduction", "add");
  FoldedModel model(builder);
  ASSERT_NE(model.Find("sums"), nullptr);
  ASSERT_TRUE(model.Find("sums")->is_constant);
  EXPECT_EQ(ReadElements<std::int64_t>(*model.Find("sums")), (Dims{1, 32, 3}));
}

TEST(Folding, LeavesNoLayerOfAShapeAlone) {
  ModelBuilder builder;
  builder.Input("x", {2, 3}).Output("y");
  builder.Node("EyeLike", {"x"}, {"y"}).Int("k", 1);
  EXPECT_EQ(CountLayersFolding(builder), 0U);
  EXPECT_EQ(builder.Run({std::vector<float>(6)}), (std::vector<float>{0, 1, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace backplane::onnx::test
