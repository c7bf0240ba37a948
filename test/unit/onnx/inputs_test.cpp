#include "graph/inputs.hpp"

#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

ModelBuilder MakeRelu(const Dims& dims) {
  ModelBuilder builder;
  builder.Input("image", dims).Output("y").Node("Relu", {"image"}, {"y"});
  return builder;
}

TEST(Inputs, LeavesOutInitializers) {
  ModelBuilder builder;
  builder.Input("x", {2}).Input("w", {2}).Floats("w", {2}, {1, 2}).Output("y");
  builder.Node("Add", {"x", "w"}, {"y"});
  const auto inputs = ListInputs(builder.GetProto().graph());
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs[0].name, "x");
  EXPECT_EQ(builder.Import().network->GetInputs().size(), 1U);
}

TEST(Inputs, ListsOpenDimensionsWithTheirNames) {
  ModelBuilder builder = MakeRelu({-1, 3});
  const auto inputs = ListInputs(builder.GetProto().graph());
  EXPECT_EQ(inputs[0].data_type, DataType::kFloat32);
  EXPECT_TRUE(inputs[0].is_rank_known);
  EXPECT_EQ(inputs[0].dims, (Dims{-1, 3}));
  EXPECT_EQ(inputs[0].dim_names, (Names{"batch", ""}));
}

TEST(Inputs, NamesAnOpenDimensionAndTheOptionToGive) {
  const Diagnostic error = MakeRelu({-1, 3}).ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kUnknownDimension);
  EXPECT_EQ(error.subject.name, "image");
  EXPECT_EQ(error.why, "the model states batchx3 and leaves open dimension 0 (batch)");
  EXPECT_TRUE(Contains(error.fix, "--shape image=1x3")) << error.fix;
}

TEST(Inputs, NamesEveryOpenInputAtOnce) {
  ModelBuilder builder;
  builder.Input("a", {-1}).Input("b", {-1}).Output("y").Node("Add", {"a", "b"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kUnknownDimension);
  EXPECT_TRUE(Contains(error.what, "the shapes of 2 inputs of ")) << error.what;
  ASSERT_EQ(error.causes.size(), 2U);
  EXPECT_EQ(error.causes[1].subject.name, "b");
}

TEST(Inputs, TakesOpenDimensionsFromTheOptions) {
  const ImportedModel imported = MakeRelu({-1, 3}).Import({{{"image", {4, 3}}}});
  EXPECT_EQ(imported.network->GetInputs().at(0).info.shape, (TensorShape{4, 3}));
  EXPECT_EQ(imported.network->GetOutputs().at(0).info.shape, (TensorShape{4, 3}));
}

TEST(Inputs, RefusesAShapeThatDisagreesWithTheModel) {
  for (const TensorShape& shape : {TensorShape{4, 2}, TensorShape{4}, TensorShape{4, 3, 1}}) {
    const Diagnostic error = MakeRelu({-1, 3}).ImportError({{{"image", shape}}});
    EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
    EXPECT_TRUE(Contains(error.why, "found 4")) << error.why;
    EXPECT_TRUE(Contains(error.why, "expects batchx3")) << error.why;
  }
}

TEST(Inputs, RefusesAnAbsurdShape) {
  const Diagnostic error = MakeRelu({-1, 3}).ImportError({{{"image", {std::int64_t{1} << 62, 3}}}});
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
}

TEST(Inputs, SuggestsTheNearestNameForAnUnknownOne) {
  const Diagnostic error = MakeRelu({1, 3}).ImportError({{{"imege", {1, 3}}}});
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
  EXPECT_TRUE(Contains(error.why, "are image")) << error.why;
  EXPECT_EQ(error.fix, "did you mean image?");
}

// With a step for each two of them this does not end.
TEST(Inputs, OfAnyNumberMayHaveTheirShapesGiven) {
  constexpr int kCount = 300000;
  std::vector<ModelInput> inputs(kCount);
  ImportOptions options;
  for (int index = 0; index < kCount; ++index) {
    inputs[index].name = "x" + std::to_string(index);
    inputs[index].data_type = DataType::kFloat32;
    inputs[index].dims = {1};
    options.input_shapes[inputs[index].name] = {1};
  }
  EXPECT_EQ(ResolveInputs(inputs, options, "m.onnx").size(), inputs.size());
}

TEST(Inputs, RefusesTypesThatBackplaneLacks) {
  ModelBuilder builder = MakeRelu({1});
  builder.GetProto()
      .mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(::onnx::TensorProto::COMPLEX64);
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kWrongInput);
}

}  // namespace
}  // namespace backplane::onnx::test
