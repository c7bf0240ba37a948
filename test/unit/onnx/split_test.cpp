#include "model_builder.hpp"

#include <backplane/api/descriptors/split.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

Names MakeNames(std::size_t count) {
  Names names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("part" + std::to_string(i));
  return names;
}

/// A model of one Split, whose parts are its outputs, from the last to the first. The parts are
/// stated, when they are, in the way of the operator set.
ModelBuilder MakeSplit(std::int64_t opset, const Dims& dims, std::size_t num_outputs,
                       std::int64_t axis, const std::optional<Dims>& extents = {}) {
  ModelBuilder builder(opset);
  builder.Input("x", dims);
  const Names names = MakeNames(num_outputs);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    builder.Output(*name, Dims(dims.size(), -1));
  }
  const bool is_input = extents && opset >= 13;
  if (is_input) builder.Int64s("extents", *extents);
  NodeBuilder node = builder.Node("Split", is_input ? Names{"x", "extents"} : Names{"x"}, names);
  node.Name("s").Int("axis", axis);
  if (extents && !is_input) node.Ints("split", *extents);
  return builder;
}

/// The shapes of the parts, from the first to the last.
std::vector<TensorShape> GetShapes(const ModelBuilder& builder) {
  const auto outputs = builder.Import().network->GetOutputs();
  std::vector<TensorShape> shapes;
  for (auto output = outputs.rbegin(); output != outputs.rend(); ++output) {
    shapes.push_back(output->info.shape);
  }
  return shapes;
}

std::string GetSplitReason(const ModelBuilder& builder) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  return error.causes.at(0).why;
}

using Shapes = std::vector<TensorShape>;

TEST(Split, ReadsItsPartsInEveryOperatorSet) {
  for (const std::int64_t opset : {1, 2, 11, 12, 13, 17}) {
    SCOPED_TRACE(opset);
    const ModelBuilder builder = MakeSplit(opset, {2, 5}, 3, 1, Dims{1, 0, 4});
    EXPECT_EQ(GetShapes(builder), (Shapes{{2, 1}, {2, 0}, {2, 4}}));
    EXPECT_EQ(builder.Import().network->GetNumOperators(), 1U);
  }
}

TEST(Split, MakesEqualPartsWhenNoneAreStated) {
  for (const std::int64_t opset : {1, 2, 11, 13, 17}) {
    SCOPED_TRACE(opset);
    EXPECT_EQ(GetShapes(MakeSplit(opset, {6, 2}, 3, 0)), (Shapes{{2, 2}, {2, 2}, {2, 2}}));
  }
}

TEST(Split, CountsItsAxisFromTheEnd) {
  EXPECT_EQ(GetShapes(MakeSplit(13, {2, 4, 3}, 2, -2)), (Shapes{{2, 2, 3}, {2, 2, 3}}));
}

TEST(Split, TakesTheFirstAxisWhenNoneIsStated) {
  ModelBuilder builder;
  builder.Input("x", {4, 2}).Output("a").Node("Split", {"x"}, {"a", "b"});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{2, 2}));
}

TEST(Split, GivesEveryPartItsElements) {
  const auto run = [](const std::string& part) {
    ModelBuilder builder;
    builder.Input("x", {2, 4}).Int64s("extents", {1, 2, 1}).Output(part, {-1, -1});
    builder.Node("Split", {"x", "extents"}, {"a", "b", "c"}).Int("axis", 1);
    return builder.Run({{1, 2, 3, 4, 5, 6, 7, 8}});
  };
  EXPECT_EQ(run("a"), (Floats{1, 5}));
  EXPECT_EQ(run("b"), (Floats{2, 3, 6, 7}));
  EXPECT_EQ(run("c"), (Floats{4, 8}));
}

TEST(Split, PartsAreReadByOtherNodes) {
  ModelBuilder builder;
  builder.Input("x", {4}).Output("y").Node("Split", {"x"}, {"a", "b"});
  builder.Node("Sub", {"b", "a"}, {"y"});
  EXPECT_EQ(builder.Run({{1, 2, 10, 20}}), (Floats{9, 18}));
}

TEST(Split, NamesNoPartThatHasNoName) {
  ModelBuilder builder;
  builder.Input("x", {4}).Output("b").Node("Split", {"x"}, {"", "b"});
  EXPECT_EQ(builder.Run({{1, 2, 3, 4}}), (Floats{3, 4}));
}

TEST(Split, RefusesAnAxisThatIsNotThere) {
  EXPECT_EQ(GetSplitReason(MakeSplit(13, {2, 4}, 2, 2)),
            "its axis is 2; for rank 2 an axis is from -2 to 1");
}

TEST(Split, RefusesUnequalPartsThatAreNotStated) {
  EXPECT_EQ(GetSplitReason(MakeSplit(13, {2, 5}, 2, 1)),
            "its input is 2x5; axis 1 cannot be taken apart into 2 equal parts");
}

TEST(Split, RefusesAnotherNumberOfPartsThanOfOutputs) {
  EXPECT_EQ(GetSplitReason(MakeSplit(11, {5}, 2, 0, Dims{1, 1, 3})),
            "split has 3 values; 2 are expected, one for each output");
  EXPECT_EQ(GetSplitReason(MakeSplit(13, {5}, 2, 0, Dims{5})),
            "split has 1 values; 2 are expected, one for each output");
}

TEST(Split, RefusesMorePartsThanALayerCanHave) {
  const std::size_t most = kMaxSplitParts;
  EXPECT_EQ(GetShapes(MakeSplit(13, {kMaxSplitParts}, most, 0)), Shapes(most, {1}));
  EXPECT_EQ(GetSplitReason(MakeSplit(13, {kMaxSplitParts + 1}, most + 1, 0)),
            "it has 65 outputs; at most 64 are supported");
  EXPECT_EQ(GetSplitReason(MakeSplit(11, {kMaxSplitParts + 1}, most + 1, 0, Dims(most + 1, 1))),
            "it has 65 outputs; at most 64 are supported");
}

TEST(Split, RefusesPartsThatAreNotTheWhole) {
  for (const Dims& extents : {Dims{1, 3}, Dims{3, 3}, Dims{6, -1}}) {
    const Diagnostic error = MakeSplit(13, {5}, 2, 0, extents).ImportError();
    EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
    const Diagnostic& of_layer = error.causes.at(0).causes.at(0);
    EXPECT_TRUE(Contains(of_layer.why, "with the sum 5")) << of_layer.why;
  }
}

TEST(Split, RefusesPartsThatDependOnData) {
  ModelBuilder builder;
  builder.Input("x", {4}).Input("extents", {2}).Output("a");
  builder.GetProto()
      .mutable_graph()
      ->mutable_input(1)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(::onnx::TensorProto::INT64);
  builder.Node("Split", {"x", "extents"}, {"a", "b"});
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kDataDependentShape);
}

// From operator set 13 on the parts are an input; the attribute of before would be passed over.
TEST(Split, RefusesTheAttributeOfAnotherOperatorSet) {
  ModelBuilder builder(13);
  builder.Input("x", {4}).Output("a");
  builder.Node("Split", {"x"}, {"a", "b"}).Ints("split", {1, 3});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(ToText(error), "attribute: split")) << ToText(error);
}

}  // namespace
}  // namespace backplane::onnx::test
