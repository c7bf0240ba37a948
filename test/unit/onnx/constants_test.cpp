#include <backplane/onnx/import_model.hpp>

#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace backplane::onnx::test {
namespace {

NamedTensor MakeInts(const Dims& values) {
  NamedTensor tensor;
  tensor.info = {{static_cast<std::int64_t>(values.size())}, DataType::kInt64};
  tensor.data.resize(values.size() * sizeof(std::int64_t));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

// y is x under the shape that the input `shape` holds.
ModelBuilder MakeConstantsReshape() {
  ModelBuilder builder;
  builder.Input("x", {2, 3}).Input("shape", {-1}).Output("y");
  auto& type = *builder.GetProto().mutable_graph()->mutable_input(1)->mutable_type();
  type.mutable_tensor_type()->set_elem_type(::onnx::TensorProto::INT64);
  builder.Node("Reshape", {"x", "shape"}, {"y"});
  return builder;
}

TEST(Constants, AreNoInputsOfTheNetwork) {
  ImportOptions options;
  options.constants["shape"] = MakeInts({3, 2});
  const ImportedModel imported = MakeConstantsReshape().Import(options);
  ASSERT_EQ(imported.network->GetInputs().size(), 1U);
  EXPECT_EQ(imported.network->GetOutputs().at(0).info.shape, (TensorShape{3, 2}));
}

TEST(Constants, AreAskedForWhereAShapeDependsOnThem) {
  ImportOptions options;
  options.input_shapes["shape"] = {2};
  const Diagnostic error = MakeConstantsReshape().ImportError(options);
  EXPECT_EQ(error.code, DiagnosticCode::kDataDependentShape);
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].what, "the shape of node Reshape_0 (Reshape) depends"))
      << error.causes[0].what;
  EXPECT_TRUE(Contains(error.causes[0].fix, "ImportOptions::constants")) << error.causes[0].fix;
}

TEST(Constants, AreRefusedUnderAWrongName) {
  ImportOptions options;
  options.constants["shap"] = MakeInts({3, 2});
  const Diagnostic error = MakeConstantsReshape().ImportError(options);
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
  EXPECT_EQ(error.what, "a constant is given for the input shap, which does not exist");
  EXPECT_EQ(error.fix, "did you mean shape?");
}

TEST(Constants, AreRefusedWithAWrongTypeOrShape) {
  ImportOptions options;
  options.constants["x"] = MakeInts({3, 2});
  options.input_shapes["shape"] = {2};
  const Diagnostic error = MakeConstantsReshape().ImportError(options);
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
  EXPECT_EQ(error.what, "the constant for input x does not fit");
  EXPECT_EQ(error.why, "found 2 int64, the model expects 2x3 float32");
}

TEST(Constants, AreRefusedWithAnotherAmountOfData) {
  ImportOptions options;
  options.constants["shape"] = MakeInts({3, 2});
  options.constants["shape"].data.pop_back();
  const Diagnostic error = MakeConstantsReshape().ImportError(options);
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
  EXPECT_EQ(error.why, "it has 15 bytes of data; 2 int64 needs 16");
}

TEST(Constants, AreRefusedBesideAnotherShape) {
  ImportOptions options;
  options.constants["shape"] = MakeInts({3, 2});
  options.input_shapes["shape"] = {3};
  const Diagnostic error = MakeConstantsReshape().ImportError(options);
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
  EXPECT_EQ(error.why, "found 2, the shape given for it is 3");
}

}  // namespace
}  // namespace backplane::onnx::test
