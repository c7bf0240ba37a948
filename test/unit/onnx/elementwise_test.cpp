#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

std::size_t CountLayersElementwise(const ModelBuilder& builder) {
  return builder.Import().network->GetNumOperators();
}

void ExpectNearElementwise(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

/// y = op_type(x) of one operator.
struct Unary {
  explicit Unary(const std::string& op_type, std::int64_t opset = 13, Dims dims = {3})
      : model(opset), node(Add(op_type, dims)) {}

  NodeBuilder Add(const std::string& op_type, const Dims& dims) {
    model.Input("x", dims).Output("y");
    return model.Node(op_type, {"x"}, {"y"});
  }

  ModelBuilder model;
  NodeBuilder node;
};

/// y = op_type(a, b) of one operator.
struct Pair {
  explicit Pair(const std::string& op_type, const Dims& a, const Dims& b, std::int64_t opset = 13)
      : model(opset), node(Add(op_type, a, b)) {}

  NodeBuilder Add(const std::string& op_type, const Dims& a, const Dims& b) {
    model.Input("a", a).Input("b", b).Output("y");
    return model.Node(op_type, {"a", "b"}, {"y"});
  }

  ModelBuilder model;
  NodeBuilder node;
};

/// The bool that a graph makes, read as 1 and 0.
void ReadBool(ModelBuilder& model, const std::string& name) {
  model.Floats("one", {1}, {1}).Floats("zero", {1}, {0});
  model.Output("y").Node("Where", {name, "one", "zero"}, {"y"});
}

TEST(ElementwiseUnary, IsThatOfItsOperator) {
  const Floats x = {0.25F, 0.5F, 0.75F};
  const auto expect = [&x](const std::string& op_type, float (*function)(float)) {
    SCOPED_TRACE(op_type);
    Floats expected;
    for (const float element : x) expected.push_back(function(element));
    ExpectNearElementwise(Unary(op_type).model.Run({x}), expected);
  };
  expect("Abs", [](float e) { return e; });
  expect("Neg", [](float e) { return -e; });
  expect("Sign", [](float) { return 1.0F; });
  expect("Sqrt", [](float e) { return std::sqrt(e); });
  expect("Reciprocal", [](float e) { return 1.0F / e; });
  expect("Exp", [](float e) { return std::exp(e); });
  expect("Log", [](float e) { return std::log(e); });
  expect("Sin", [](float e) { return std::sin(e); });
  expect("Cos", [](float e) { return std::cos(e); });
  expect("Tan", [](float e) { return std::tan(e); });
  expect("Asin", [](float e) { return std::asin(e); });
  expect("Acos", [](float e) { return std::acos(e); });
  expect("Atan", [](float e) { return std::atan(e); });
  expect("Sinh", [](float e) { return std::sinh(e); });
  expect("Cosh", [](float e) { return std::cosh(e); });
  expect("Asinh", [](float e) { return std::asinh(e); });
  expect("Atanh", [](float e) { return std::atanh(e); });
  expect("Erf", [](float e) { return std::erf(e); });
  expect("Ceil", [](float) { return 1.0F; });
  expect("Floor", [](float) { return 0.0F; });
  ExpectNearElementwise(Unary("Round").model.Run({{0.5F, 1.5F, 2.4F}}), {0, 2, 2});
  ExpectNearElementwise(Unary("Acosh").model.Run({{1, 1.5F, 2}}),
                        {0, std::acosh(1.5F), std::acosh(2.0F)});
}

TEST(Activation, HasTheDefaultsOfItsOperator) {
  const Floats x = {-1, 0.5F, 4};
  const float tenth = std::exp(-1.0F) - 1.0F;
  ExpectNearElementwise(Unary("Elu").model.Run({x}), {tenth, 0.5F, 4});
  ExpectNearElementwise(Unary("Selu").model.Run({x}), {-1.1113307F, 0.5253505F, 4.2028041F});
  ExpectNearElementwise(Unary("Selu", 5).model.Run({x}), {-1.1112875F, 0.52535F, 4.2028F});
  ExpectNearElementwise(Unary("Celu").model.Run({x}), {tenth, 0.5F, 4});
  ExpectNearElementwise(Unary("HardSigmoid").model.Run({x}), {0.3F, 0.6F, 1});
  ExpectNearElementwise(Unary("HardSwish", 14).model.Run({x}), {-1.0F / 3.0F, 0.2916667F, 4});
  ExpectNearElementwise(Unary("Softplus").model.Run({x}), {0.3132617F, 0.9740770F, 4.0181499F});
  ExpectNearElementwise(Unary("Softsign").model.Run({x}), {-0.5F, 1.0F / 3.0F, 0.8F});
  ExpectNearElementwise(Unary("ThresholdedRelu").model.Run({x}), {0, 0, 4});
  ExpectNearElementwise(Unary("Shrink").model.Run({x}), {-1, 0, 4});
}

TEST(Activation, ComparesNanWithThresholdsAsFalse) {
  const Floats x = {NAN, 4, -4};
  EXPECT_EQ(Unary("ThresholdedRelu").model.Run({x}), (Floats{0, 4, 0}));
  EXPECT_EQ(Unary("Shrink").model.Run({x}), (Floats{0, 4, -4}));
}

TEST(Activation, ReadsItsParameters) {
  const Floats x = {-1, 0.5F, 4};
  Unary selu("Selu");
  selu.node.Float("alpha", 2).Float("gamma", 3);
  ExpectNearElementwise(selu.model.Run({x}), {6 * (std::exp(-1.0F) - 1), 1.5F, 12});
  Unary hard_sigmoid("HardSigmoid");
  hard_sigmoid.node.Float("alpha", 0.5F).Float("beta", 0.25F);
  ExpectNearElementwise(hard_sigmoid.model.Run({x}), {0, 0.5F, 1});
  Unary shrink("Shrink");
  shrink.node.Float("lambd", 0.75F).Float("bias", 0.5F);
  ExpectNearElementwise(shrink.model.Run({x}), {-0.5F, 0, 3.5F});
  Unary thresholded("ThresholdedRelu");
  thresholded.node.Float("alpha", 0.25F);
  ExpectNearElementwise(thresholded.model.Run({x}), {0, 0.5F, 4});
}

TEST(Activation, IgnoresHintsOnMemoryOfTheFirstOperatorSet) {
  Unary elu("Elu", 1);
  elu.node.Ints("consumed_inputs", {0});
  ExpectNearElementwise(elu.model.Run({{1, 2, 3}}), {1, 2, 3});
}

TEST(Gelu, IsThatOfMicrosoft) {
  const Floats x = {-1, 0.5F, 4};
  const auto run = [&x](const std::string& op_type, const Names& inputs) {
    ModelBuilder model;
    auto& domain = *model.GetProto().add_opset_import();
    domain.set_domain("com.microsoft");
    domain.set_version(1);
    model.Input("x", {3}).Floats("bias", {3}, {1, 0, 0}).Output("y");
    model.Node(op_type, inputs, {"y"}).Domain("com.microsoft");
    return model.Run({x});
  };
  ExpectNearElementwise(run("Gelu", {"x"}), {-0.1586553F, 0.3457312F, 3.9998733F});
  ExpectNearElementwise(run("BiasGelu", {"x", "bias"}), {0, 0.3457312F, 3.9998733F});
  ExpectNearElementwise(run("FastGelu", {"x"}), {-0.1588080F, 0.3457140F, 3.9999298F});
  ExpectNearElementwise(run("FastGelu", {"x", "bias"}), {0, 0.3457140F, 3.9999298F});
  ExpectNearElementwise(run("QuickGelu", {"x"}), {-0.1542042F, 0.3503884F, 3.9955853F});
}

TEST(Pow, IsThatOfItsOperator) {
  ExpectNearElementwise(Pair("Pow", {2}, {2}).model.Run({{2, 9}, {3, 0.5F}}), {8, 3});
}

TEST(Pow, TakesAnExponentOfAnotherType) {
  ModelBuilder model;
  model.Input("x", {2}).Int64s("two", {2}).Output("y").Node("Pow", {"x", "two"}, {"y"});
  ExpectNearElementwise(model.Run({{1.5F, -3}}), {2.25F, 9});
}

TEST(Mod, OfFloatsIsTheRemainder) {
  Pair mod("Mod", {2}, {2});
  mod.node.Int("fmod", 1);
  ExpectNearElementwise(mod.model.Run({{-7.5F, 7.5F}, {2, -2}}), {-1.5F, 1.5F});
  const Diagnostic error = Pair("Mod", {2}, {2}).model.ImportError();
  ASSERT_FALSE(error.causes.empty());
  EXPECT_EQ(error.causes[0].code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.causes[0].why, "float32 and fmod is 0; floating point needs fmod"))
      << error.causes[0].why;
}

TEST(BitShift, RefusesAnUnknownDirection) {
  Pair shift("BitShift", {2}, {2});
  shift.node.String("direction", "UP");
  EXPECT_TRUE(Contains(shift.model.ImportError().causes.at(0).why,
                       "direction is \"UP\"; LEFT or RIGHT is expected"));
}

TEST(Variadic, CombinesAnyNumberOfInputs) {
  const auto run = [](const std::string& op_type, std::size_t num_layers) {
    ModelBuilder model;
    model.Input("a", {2}).Input("b", {1}).Input("c", {2}).Output("y");
    model.Node(op_type, {"a", "b", "c"}, {"y"});
    EXPECT_EQ(CountLayersElementwise(model), num_layers) << op_type;
    return model.Run({{1, 5}, {3}, {5, 1}});
  };
  ExpectNearElementwise(run("Sum", 2), {9, 9});
  ExpectNearElementwise(run("Mean", 3), {3, 3});
  ExpectNearElementwise(run("Max", 2), {5, 5});
  ExpectNearElementwise(run("Min", 2), {1, 1});
}

TEST(Variadic, OfScalarsIsAScalar) {
  for (const char* op_type : {"Sum", "Mean", "Max", "Min"}) {
    ModelBuilder model;
    model.Input("a", {}).Input("b", {}).Output("y", {}).Node(op_type, {"a", "b"}, {"y"});
    EXPECT_EQ(model.GetOutputShape(), TensorShape{}) << op_type;
    ExpectNearElementwise(model.Run({{2}, {2}}), {op_type == std::string("Sum") ? 4.0F : 2.0F});
  }
}

TEST(Clip, OfAScalarIsAScalar) {
  Unary clip("Clip", 6, {});
  clip.node.Float("min", 0).Float("max", 1);
  EXPECT_EQ(clip.model.GetOutputShape(), TensorShape{});
}

TEST(Variadic, OfOneInputIsTheInput) {
  for (const char* op_type : {"Sum", "Mean", "Max", "Min"}) {
    Unary single(op_type);
    EXPECT_EQ(CountLayersElementwise(single.model), 0U) << op_type;
    ExpectNearElementwise(single.model.Run({{1, 2, 3}}), {1, 2, 3});
  }
}

TEST(Comparison, IsThatOfItsOperator) {
  const auto run = [](const std::string& op_type, std::int64_t opset = 13) {
    ModelBuilder model(opset);
    model.Input("a", {3}).Input("b", {3}).Node(op_type, {"a", "b"}, {"c"});
    ReadBool(model, "c");
    return model.Run({{1, 2, 3}, {2, 2, 2}});
  };
  ExpectNearElementwise(run("Equal"), {0, 1, 0});
  ExpectNearElementwise(run("Greater"), {0, 0, 1});
  ExpectNearElementwise(run("GreaterOrEqual"), {0, 1, 1});
  ExpectNearElementwise(run("Less"), {1, 0, 0});
  ExpectNearElementwise(run("LessOrEqual", 16), {1, 1, 0});
}

TEST(LogicalBinary, IsThatOfItsOperator) {
  const auto run = [](const std::string& op_type) {
    ModelBuilder model;
    model.Input("a", {4}).Input("b", {4}).Floats("half", {}, {0.5F});
    model.Node("Greater", {"a", "half"}, {"p"});
    model.Node("Greater", {"b", "half"}, {"q"});
    model.Node(op_type, op_type == "Not" ? Names{"p"} : Names{"p", "q"}, {"r"});
    ReadBool(model, "r");
    return model.Run({{0, 0, 1, 1}, {0, 1, 0, 1}});
  };
  ExpectNearElementwise(run("And"), {0, 0, 0, 1});
  ExpectNearElementwise(run("Or"), {0, 1, 1, 1});
  ExpectNearElementwise(run("Xor"), {0, 1, 1, 0});
}

TEST(FloatClassification, DetectsWhatItsAttributesSay) {
  const auto run = [](const std::string& op_type, const char* left_out) {
    ModelBuilder model;
    model.Input("x", {4});
    NodeBuilder node = model.Node(op_type, {"x"}, {"c"});
    if (left_out != nullptr) node.Int(left_out, 0);
    ReadBool(model, "c");
    return model.Run({{INFINITY, -INFINITY, NAN, 1}});
  };
  ExpectNearElementwise(run("IsNaN", nullptr), {0, 0, 1, 0});
  ExpectNearElementwise(run("IsInf", nullptr), {1, 1, 0, 0});
  ExpectNearElementwise(run("IsInf", "detect_negative"), {1, 0, 0, 0});
  ExpectNearElementwise(run("IsInf", "detect_positive"), {0, 1, 0, 0});
}

TEST(PRelu, HasASlopeForEachElementOfTheLastAxis) {
  ExpectNearElementwise(
      Pair("PRelu", {1, 2, 3}, {3}).model.Run({{-1, -1, -1, 1, -1, -1}, {1, 2, 3}}),
      {-1, -2, -3, 1, -2, -3});
}

TEST(PRelu, HasASlopeForEachChannelBeforeOperatorSet7) {
  const Floats x = {-1, -1, -1, -1};
  ExpectNearElementwise(Pair("PRelu", {1, 2, 2}, {2}, 6).model.Run({x, {1, 2}}), {-1, -1, -2, -2});
  ExpectNearElementwise(Pair("PRelu", {1, 2, 2}, {2}, 9).model.Run({x, {1, 2}}), {-1, -2, -1, -2});
  ExpectNearElementwise(Pair("PRelu", {1, 2, 2}, {1}, 6).model.Run({x, {3}}), {-3, -3, -3, -3});
}

TEST(PRelu, HasASlopeForEachChannelWhereItBroadcastsInNoOtherWay) {
  ExpectNearElementwise(Pair("PRelu", {1, 2, 3}, {2}).model.Run({{-1, -1, -1, -1, -1, -1}, {1, 2}}),
                        {-1, -1, -1, -2, -2, -2});
}

TEST(Clip, GivesTheUpperBoundWhereBoundsAreExchanged) {
  ModelBuilder inputs;
  inputs.Input("x", {3}).Floats("low", {}, {2}).Floats("high", {}, {1}).Output("y");
  inputs.Node("Clip", {"x", "low", "high"}, {"y"});
  ExpectNearElementwise(inputs.Run({{0, 1.5F, 3}}), {1, 1, 1});
  Unary attributes("Clip", 6);
  attributes.node.Float("min", 2).Float("max", 1);
  ExpectNearElementwise(attributes.model.Run({{0, 1.5F, 3}}), {1, 1, 1});
}

TEST(Clip, BoundsNothingWithoutBounds) {
  ExpectNearElementwise(Unary("Clip").model.Run({{-1e30F, 0, 1e30F}}), {-1e30F, 0, 1e30F});
}

// The second input begins at an axis of the first.
TEST(LegacyBroadcast, AlignsAtTheAxis) {
  for (const char* op_type : {"Add", "Pow"}) {
    Pair pair(op_type, {1, 2, 2}, {2}, 6);
    pair.node.Int("broadcast", 1).Int("axis", 1);
    const bool is_sum = std::string(op_type) == "Add";
    ExpectNearElementwise(pair.model.Run({{1, 2, 3, 4}, {1, 2}}),
                          is_sum ? Floats{2, 3, 5, 6} : Floats{1, 2, 9, 16});
  }
}

TEST(LegacyBroadcast, GoesForComparisonsAndLogicToo) {
  ModelBuilder model(6);
  model.Input("a", {2, 2}).Input("b", {2}).Output("y");
  model.Node("Greater", {"a", "b"}, {"p"}).Int("broadcast", 1).Int("axis", 0);
  model.Node("Less", {"a", "b"}, {"q"}).Int("broadcast", 1).Int("axis", 0);
  model.Node("Or", {"p", "q"}, {"r"});
  model.Node("Not", {"r"}, {"y"});
  EXPECT_EQ(model.Import().network->GetNumOperators(), 6U);
}

}  // namespace
}  // namespace backplane::onnx::test
