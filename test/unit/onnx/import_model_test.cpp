#include <backplane/onnx/import_model.hpp>

#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

TEST(ImportModel, KeepsTheNamesOfInputsAndOutputs) {
  ModelBuilder builder;
  builder.Input("in", {1, 2}).Output("out", {-1, 2}).Node("Relu", {"in"}, {"out"});
  const ImportedModel imported = builder.Import();
  EXPECT_EQ(imported.network->GetInputs().at(0).name, "in");
  EXPECT_EQ(imported.network->GetOutputs().at(0).name, "out");
  EXPECT_TRUE(imported.warnings.empty());
}

TEST(ImportModel, NamesEveryUnsupportedOperatorAtOnce) {
  ModelBuilder builder(11);
  builder.Input("x", {1}).Output("y");
  builder.Node("Conf", {"x"}, {"a"}).Name("first");
  builder.Node("Relu", {"a"}, {"b"});
  builder.Node("Loop", {"b"}, {"c"});
  builder.Node("Thing", {"c"}, {"y"}).Domain("com.example");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kUnsupportedOperator);
  EXPECT_TRUE(Contains(error.why, "Conf (1 node), Loop (1 node), com.example.Thing (1 node)"))
      << error.why;
  ASSERT_EQ(error.causes.size(), 3U);
  EXPECT_EQ(error.causes[0].what, "node first has the operator Conf");
  EXPECT_EQ(error.causes[0].why, "domain ai.onnx, operator set 11");
  EXPECT_EQ(error.causes[0].fix, "did you mean Conv? ONNX has no such operator");
  EXPECT_EQ(error.causes[1].subject.name, "Loop_2");
  EXPECT_EQ(error.causes[1].why,
            "domain ai.onnx, operator set 11; it is control flow: its body runs as often as data "
            "says");
  EXPECT_EQ(error.causes[1].fix, "");
  EXPECT_EQ(error.causes[2].why, "domain com.example, operator set 1");
  EXPECT_EQ(error.causes[2].fix, "");
}

TEST(ImportModel, NamesWhatElseFailsWithUnsupportedOperators) {
  ModelBuilder builder(11);
  builder.Input("x", {1, 1, 4}).Output("y").Output("z").Output("i");
  builder.Node("Bernoulli", {"x"}, {"a"}).Name("coin");
  builder.Node("Relu", {"a"}, {"y"});
  builder.Node("MaxPool", {"x"}, {"z"}).Name("p").Ints("kernel_shape", {2}).String("auto_pad", "?");
  builder.Node("NonZero", {"x"}, {"i"}).Name("where");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kUnsupportedOperator);
  ASSERT_EQ(error.causes.size(), 3U);
  EXPECT_EQ(error.causes[0].what, "node coin has the operator Bernoulli");
  EXPECT_EQ(error.causes[1].code, DiagnosticCode::kUnsupportedAttribute);
  EXPECT_EQ(error.causes[1].subject.name, "p");
  EXPECT_EQ(error.causes[2].code, DiagnosticCode::kDataDependentShape);
  EXPECT_EQ(error.causes[2].subject.name, "where");
}

TEST(ImportModel, NamesOpenDimensionsWithUnsupportedOperators) {
  ModelBuilder builder(11);
  builder.Input("x", {-1}).Output("y").Node("Bernoulli", {"x"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kUnsupportedOperator);
  ASSERT_EQ(error.causes.size(), 2U);
  EXPECT_EQ(error.causes[1].code, DiagnosticCode::kUnknownDimension);
}

TEST(ImportModel, TakesOutputsWithoutAStatedShape) {
  ModelBuilder builder;
  builder.Input("x", {2, 3}).Output("y").Node("Relu", {"x"}, {"y"});
  auto& output = *builder.GetProto().mutable_graph()->mutable_output(0);
  output.mutable_type()->mutable_tensor_type()->clear_shape();
  const ImportedModel imported = builder.Import();
  EXPECT_TRUE(imported.warnings.empty());
  EXPECT_EQ(imported.network->GetOutputs().at(0).info.shape, TensorShape({2, 3}));
}

TEST(ImportModel, NamesEveryNodeOfAnUnsupportedOperator) {
  ModelBuilder builder(11);
  builder.Input("x", {1}).Output("y");
  builder.Node("Relu", {"x"}, {"a"});
  builder.Node("Bernoulli", {"a"}, {"b"}).Name("one");
  builder.Node("Bernoulli", {"b"}, {"c"}).Domain("com.example");
  builder.Node("Bernoulli", {"c"}, {"d"});
  builder.Node("Bernoulli", {"d"}, {"y"}).Name("three");
  const Diagnostic error = builder.ImportError();
  EXPECT_TRUE(Contains(error.what, "uses 2 operators that cannot be imported")) << error.what;
  EXPECT_TRUE(Contains(error.why, "found Bernoulli (3 nodes), com.example.Bernoulli (1 node);"))
      << error.why;
  EXPECT_EQ(error.fix, "export the model without them");
  ASSERT_EQ(error.causes.size(), 2U);
  EXPECT_EQ(error.causes[0].what, "3 nodes, one, Bernoulli_3, three, have the operator Bernoulli");
  EXPECT_EQ(error.causes[0].subject.name, "one");
  EXPECT_EQ(error.causes[1].subject.name, "Bernoulli_2");
}

TEST(ImportModel, RefusesModelsWithoutAVersion) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y").Node("Relu", {"x"}, {"y"});
  builder.GetProto().clear_opset_import();
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kUnsupportedOpset);
  EXPECT_TRUE(Contains(error.why, "states no operator set")) << error.why;
}

// The checker of ONNX goes over all of them for each function.
TEST(ImportModel, RefusesMoreOperatorSetsThanThereAreDomains) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y").Node("Relu", {"x"}, {"y"});
  for (int index = 1; index <= 100; ++index) {
    EXPECT_NO_THROW(builder.Import()) << index;
    auto& opset = *builder.GetProto().add_opset_import();
    opset.set_domain("domain" + std::to_string(index));
    opset.set_version(1);
  }
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_EQ(error.why, "it states 101 operator sets; at most 100 are supported");
}

TEST(ImportModel, TriesNewerVersionsWithAWarning) {
  ModelBuilder builder(99);
  builder.Input("x", {1}).Output("y", {1}).Node("Relu", {"x"}, {"y"});
  builder.GetProto().set_ir_version(42);
  const ImportedModel imported = builder.Import();
  ASSERT_EQ(imported.warnings.size(), 2U);
  EXPECT_EQ(imported.warnings[0].code, DiagnosticCode::kUnsupportedOpset);
  EXPECT_EQ(imported.warnings[0].severity, Severity::kWarning);
  EXPECT_TRUE(Contains(imported.warnings[0].why, "it has IR version 42; known are 1 to 13"))
      << imported.warnings[0].why;
  EXPECT_TRUE(Contains(imported.warnings[1].why, "it uses operator set 99; known are 1 to 28"))
      << imported.warnings[1].why;
}

TEST(ImportModel, KnowsTheOperatorSetsTo28WithoutAWarning) {
  for (const std::int64_t opset : {18, 23, 28}) {
    ModelBuilder builder(opset);
    builder.Input("x", {1}).Output("y", {1}).Node("Relu", {"x"}, {"y"});
    builder.GetProto().set_ir_version(13);
    EXPECT_TRUE(builder.Import().warnings.empty()) << opset;
  }
}

// The checker knows the operators that did not change since.
TEST(ImportModel, ChecksTheRulesOfNewerOperatorSets) {
  ModelBuilder builder(21);
  builder.Input("x", {1}).Output("y").Node("Relu", {"x"}, {"y"}).Int("fancy", 1);
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_EQ(error.why, "the checker of ONNX refuses it");
}

// Exporters write operators of newer sets under the set that the rest of a model has.
TEST(ImportModel, TakesNewerOperatorsUnderAnOlderOperatorSet) {
  ModelBuilder builder(11);
  builder.Input("x", {2}).Output("y", {2}).Node("Gelu", {"x"}, {"y"});
  EXPECT_TRUE(builder.Import().warnings.empty());
}

// w = 0 5 0 0 7 0, with flat indices and with one for each axis.
ModelBuilder MakeSparse(const Dims& index_dims, const Dims& indices) {
  ModelBuilder builder;
  builder.Input("x", {2, 3}).Output("y").Node("Add", {"x", "w"}, {"y"});
  auto& sparse = *builder.GetProto().mutable_graph()->add_sparse_initializer();
  *sparse.mutable_values() = MakeFloats("w", {2}, {5, 7});
  auto& tensor = *sparse.mutable_indices();
  tensor.set_data_type(::onnx::TensorProto::INT64);
  for (const std::int64_t dim : index_dims) tensor.add_dims(dim);
  for (const std::int64_t index : indices) tensor.add_int64_data(index);
  sparse.add_dims(2);
  sparse.add_dims(3);
  return builder;
}

TEST(ImportModel, MakesSparseInitializersDense) {
  const std::vector<float> expected = {1, 6, 1, 1, 8, 1};
  const std::vector<std::vector<float>> inputs = {std::vector<float>(6, 1)};
  EXPECT_EQ(MakeSparse({2}, {1, 4}).Run(inputs), expected);
  EXPECT_EQ(MakeSparse({2, 2}, {0, 1, 1, 1}).Run(inputs), expected);
}

TEST(ImportModel, RefusesSparseInitializersWithIndicesOutside) {
  EXPECT_EQ(MakeSparse({2}, {1, 6}).ImportError().code, DiagnosticCode::kInvalidModel);
  EXPECT_EQ(MakeSparse({2, 2}, {0, 1, 1, 3}).ImportError().code, DiagnosticCode::kInvalidModel);
}

TEST(ImportModel, RefusesSparseInitializersThatGrowBeyondMeasure) {
  ModelBuilder builder = MakeSparse({2}, {1, 4});
  auto& sparse = *builder.GetProto().mutable_graph()->mutable_sparse_initializer(0);
  sparse.set_dims(0, std::int64_t{1} << 40);
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.why, "at most 536870912")) << error.why;
}

TEST(ImportModel, QuotesTheCheckerOfOnnx) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y").Node("Relu", {"x"}, {"y"}).Int("fancy", 1);
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].what, "Unrecognized attribute: fancy"))
      << error.causes[0].what;
}

TEST(ImportModel, QuotesTheCheckerOfOnnxForEveryNode) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y");
  builder.Node("Relu", {"x", "x"}, {"a"});
  builder.Node("Concat", {"a"}, {"y"}).Name("c");
  const Diagnostic error = builder.ImportError();
  ASSERT_EQ(error.causes.size(), 2U);
  EXPECT_TRUE(Contains(error.causes[0].what, "node Relu_0 (Relu): ")) << error.causes[0].what;
  EXPECT_TRUE(Contains(error.causes[1].what, "node c (Concat): ")) << error.causes[1].what;
  EXPECT_EQ(error.causes[1].subject.name, "c");
}

TEST(ImportModel, RefusesACycle) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("b");
  builder.Node("Add", {"x", "b"}, {"a"});
  builder.Node("Relu", {"a"}, {"b"});
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kInvalidModel);
}

TEST(ImportModel, RefusesNamesThatNothingMakes) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y").Node("Add", {"x", "ghost"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(ToText(error), "ghost"));
}

TEST(ImportModel, RefusesOutputsThatNothingMakes) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("ghost").Node("Relu", {"x"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(ToText(error), "ghost"));
}

TEST(ImportModel, RefusesNamesThatAreMadeTwice) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y");
  builder.Node("Relu", {"x"}, {"y"});
  builder.Node("Tanh", {"x"}, {"y"});
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kInvalidModel);
}

TEST(ImportModel, RefusesTwoInputsOfOneName) {
  ModelBuilder builder;
  builder.Input("x", {1}).Input("x", {1}).Output("y").Node("Relu", {"x"}, {"y"});
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kInvalidModel);
}

TEST(ImportModel, RefusesTwoInitializersOfOneName) {
  ModelBuilder builder;
  builder.Floats("w", {1}, {1}).Floats("w", {1}, {2}).Output("y").Node("Relu", {"w"}, {"y"});
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kInvalidModel);
}

TEST(ImportModel, RefusesAbsurdDimensions) {
  ModelBuilder builder;
  builder.Input("x", {std::int64_t{1} << 40, std::int64_t{1} << 40}).Output("y");
  builder.Node("Relu", {"x"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
  EXPECT_EQ(error.what, "input x is too large");
}

TEST(ImportModel, RefusesTensorsThatGrowBeyondMeasure) {
  ModelBuilder builder;
  constexpr std::int64_t kLarge = std::int64_t{1} << 31;
  builder.Input("a", {kLarge, 1}).Input("b", {1, kLarge}).Output("y");
  builder.Node("Add", {"a", "b"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_EQ(error.causes.at(0).causes.at(0).code, DiagnosticCode::kTensorTooLarge);
}

TEST(ImportModel, GivesTheReasonOfTheNetworkAsCause) {
  ModelBuilder builder;
  builder.Input("a", {2}).Input("b", {3}).Output("y").Node("Add", {"a", "b"}, {"y"}).Name("sum");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_EQ(error.causes[0].what, "node sum (Add) cannot be imported");
  EXPECT_EQ(error.causes[0].causes.at(0).code, DiagnosticCode::kWrongShape);
}

TEST(ImportModel, NamesEveryNodeThatCannotBeImported) {
  ModelBuilder builder;
  builder.Input("x", {1, 1, 4}).Output("y").Output("z");
  builder.Node("MaxPool", {"x"}, {"a"}).Name("p").Ints("kernel_shape", {2}).String("auto_pad", "?");
  builder.Node("Relu", {"a"}, {"y"});
  builder.Node("Reshape", {"x", "x"}, {"z"}).Name("r");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.why, "2 nodes cannot be converted");
  ASSERT_EQ(error.causes.size(), 2U);
  EXPECT_EQ(error.causes[0].code, DiagnosticCode::kUnsupportedAttribute);
  EXPECT_EQ(error.causes[1].code, DiagnosticCode::kDataDependentShape);
  EXPECT_TRUE(Contains(error.causes[1].what, "node r (Reshape)")) << error.causes[1].what;
}

TEST(ImportModel, WarnsWhenAnOutputIsNotWhatTheModelStates) {
  ModelBuilder builder;
  builder.Input("x", {2, 3}).Output("y", {-1, 4}).Node("Relu", {"x"}, {"y"});
  const ImportedModel imported = builder.Import();
  ASSERT_EQ(imported.warnings.size(), 1U);
  EXPECT_EQ(imported.warnings[0].severity, Severity::kWarning);
  EXPECT_EQ(imported.warnings[0].why, "its layers give 2x3 float32, the model states ?x4 FLOAT");
}

TEST(ImportModel, GivesAnInputOrConstantThatIsAlsoAnOutput) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("x").Output("c").Floats("c", {1}, {7});
  const ImportedModel imported = builder.Import();
  ASSERT_EQ(imported.network->GetOutputs().size(), 2U);
  EXPECT_EQ(imported.network->GetOutputs()[1].name, "c");
  EXPECT_EQ(imported.network->GetNumOperators(), 0U);
}

}  // namespace
}  // namespace backplane::onnx::test
