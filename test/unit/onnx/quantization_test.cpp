#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;
using ::onnx::TensorProto;

constexpr char kMicrosoft[] = "com.microsoft";

/// Models whose scales and zero points are constants, or inputs of the model: the names are the
/// same. Zero points are always constants.
class QuantizedModel {
 public:
  explicit QuantizedModel(bool has_constant_scales, std::int64_t opset = 13)
      : has_constant_scales_(has_constant_scales), builder_(opset) {
    auto& import = *builder_.GetProto().add_opset_import();
    import.set_domain(kMicrosoft);
    import.set_version(1);
  }

  ModelBuilder& Get() { return builder_; }

  QuantizedModel& Input(const std::string& name, const Dims& dims, const Floats& elements) {
    builder_.Input(name, dims);
    inputs_.push_back(elements);
    return *this;
  }
  QuantizedModel& Scale(const std::string& name, const Floats& scales, const Dims& dims = {}) {
    if (!has_constant_scales_) return Input(name, dims, scales);
    builder_.Floats(name, dims, scales);
    return *this;
  }
  QuantizedModel& Integers(const std::string& name, TensorProto::DataType type, const Dims& dims,
                           const std::vector<std::int32_t>& elements) {
    TensorProto& tensor = *builder_.GetProto().mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const std::int64_t dim : dims) tensor.add_dims(dim);
    for (const std::int32_t element : elements) tensor.add_int32_data(element);
    return *this;
  }
  /// The quantized tensor `name`, from an input of floats.
  QuantizedModel& QuantizedInput(const std::string& name, const Dims& dims, const Floats& elements,
                                 float scale, std::int32_t zero_point) {
    Input(name + "_real", dims, elements).Scale(name + "_scale", {scale});
    Integers(name + "_zero", TensorProto::UINT8, {}, {zero_point});
    builder_.Node("QuantizeLinear", {name + "_real", name + "_scale", name + "_zero"}, {name});
    return *this;
  }
  /// The output of the model, from a quantized tensor.
  Floats RunDequantized(const std::string& name, const Dims& dims) {
    builder_.Node("DequantizeLinear", {name, "y_scale", "y_zero"}, {"y"});
    builder_.Output("y", dims);
    return builder_.Run(inputs_);
  }

  std::vector<LayerType> GetLayers() const {
    std::vector<LayerType> types;
    for (const NetworkOperator& layer : builder_.Import().network->GetOperators()) {
      types.push_back(layer.type);
    }
    return types;
  }

 private:
  const bool has_constant_scales_;
  ModelBuilder builder_;
  std::vector<Floats> inputs_;
};

/// Numbers that are no multiples of the scales.
Floats MakeReals(std::size_t count) {
  Floats reals;
  for (std::size_t i = 0; i < count; ++i) {
    reals.push_back(static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 17.0F);
  }
  return reals;
}

bool Has(const std::vector<LayerType>& layers, LayerType type) {
  return std::find(layers.begin(), layers.end(), type) != layers.end();
}

/// A convolution with scales of its filters, whose result is added to itself.
Floats RunChain(QuantizedModel& model) {
  model.QuantizedInput("x", {1, 2, 3, 4}, MakeReals(24), 0.03F, 118);
  model.Integers("w", TensorProto::INT8, {3, 2, 2, 2},
                 {1,  -2,  3,  4,  5,   6,  -7, 8,  90,  10, -11, 12,
                  13, -14, 15, 16, -17, 18, 19, 20, -21, 22, 23,  -128});
  model.Scale("w_scale", {0.011F, 0.002F, 0.005F}, {3});
  model.Integers("w_zero", TensorProto::INT8, {3}, {0, 0, 0});
  model.Integers("b", TensorProto::INT32, {3}, {1000, -500, 3});
  model.Scale("c_scale", {0.021F}).Integers("c_zero", TensorProto::UINT8, {}, {97});
  model.Scale("y_scale", {0.037F}).Integers("y_zero", TensorProto::UINT8, {}, {101});
  model.Get().Node("QLinearConv",
                   {"x", "x_scale", "x_zero", "w", "w_scale", "w_zero", "c_scale", "c_zero", "b"},
                   {"c"});
  model.Get()
      .Node("QLinearAdd", {"c", "c_scale", "c_zero", "c", "c_scale", "c_zero", "y_scale", "y_zero"},
            {"sum"})
      .Domain(kMicrosoft);
  return model.RunDequantized("sum", {1, 3, 2, 3});
}

TEST(Quantization, LeavesNoLayersBetweenQuantizedOperators) {
  QuantizedModel model(true);
  RunChain(model);
  EXPECT_EQ(model.GetLayers(),
            (std::vector<LayerType>{LayerType::kQuantize, LayerType::kConvolution,
                                    LayerType::kElementwiseBinary, LayerType::kDequantize}));
}

TEST(Quantization, GivesTheSameWithScalesOfTheRun) {
  QuantizedModel constant(true);
  QuantizedModel given(false);
  EXPECT_EQ(RunChain(constant), RunChain(given));
  EXPECT_TRUE(Has(given.GetLayers(), LayerType::kIntegerConvolution));
  EXPECT_FALSE(Has(given.GetLayers(), LayerType::kQuantize));
}

Floats RunMatMul(QuantizedModel& model) {
  model.QuantizedInput("a", {2, 5}, MakeReals(10), 0.03F, 118);
  model.Integers("b", TensorProto::INT8, {5, 2}, {1, -2, 3, 4, 5, 6, -7, 8, 90, 10});
  model.Scale("b_scale", {0.011F, 0.04F}, {2});
  model.Integers("b_zero", TensorProto::INT8, {2}, {3, -4});
  model.Scale("y_scale", {0.05F}).Integers("y_zero", TensorProto::UINT8, {}, {101});
  model.Get().Node("QLinearMatMul",
                   {"a", "a_scale", "a_zero", "b", "b_scale", "b_zero", "y_scale", "y_zero"},
                   {"product"});
  return model.RunDequantized("product", {2, 2});
}

TEST(Quantization, MultipliesMatricesWithScalesOfColumns) {
  QuantizedModel constant(true);
  QuantizedModel given(false);
  EXPECT_EQ(RunMatMul(constant), RunMatMul(given));
  EXPECT_TRUE(Has(constant.GetLayers(), LayerType::kFullyConnected));
  EXPECT_TRUE(Has(given.GetLayers(), LayerType::kIntegerMatMul));
}

/// An operator of com.microsoft with one operand; its result as real numbers.
Floats RunOne(bool has_constant_scales, const std::string& op_type, const Dims& dims,
              const Dims& result, const std::function<void(NodeBuilder)>& describe) {
  QuantizedModel model(has_constant_scales);
  std::size_t count = 1;
  for (const std::int64_t dim : dims) count *= static_cast<std::size_t>(dim);
  model.QuantizedInput("x", dims, MakeReals(count), 0.03F, 118);
  model.Scale("y_scale", {0.004F}).Integers("y_zero", TensorProto::UINT8, {}, {100});
  NodeBuilder node =
      model.Get().Node(op_type, {"x", "x_scale", "x_zero", "y_scale", "y_zero"}, {"result"});
  describe(node.Domain(kMicrosoft));
  return model.RunDequantized("result", result);
}

/// With half a step of the result, and what the quantization of the operand changes.
void ExpectNearQuantization(const Floats& found, const Floats& expected, float tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance);
}

TEST(Quantization, ComputesFunctions) {
  Floats expected;
  // 0.62 is the greatest number that the result can be.
  for (const float real : MakeReals(6)) {
    expected.push_back(std::min(1.0F / (1.0F + std::exp(-real)), 0.62F));
  }
  for (const bool has_constant_scales : {true, false}) {
    ExpectNearQuantization(
        RunOne(has_constant_scales, "QLinearSigmoid", {2, 3}, {2, 3}, [](NodeBuilder) {}), expected,
        0.0065F);
  }
}

TEST(Quantization, ComputesAveragesOfWholePlanes) {
  const Floats reals = MakeReals(12);
  Floats expected(2, 0.0F);
  for (std::size_t i = 0; i < 12; ++i) expected[i / 6] += reals[i] / 6.0F;
  for (float& average : expected) average = std::min(std::max(average, -0.4F), 0.62F);
  for (const bool has_constant_scales : {true, false}) {
    ExpectNearQuantization(
        RunOne(has_constant_scales, "QLinearGlobalAveragePool", {1, 2, 2, 3}, {1, 2, 1, 1},
               [](NodeBuilder node) { node.Int("channels_last", 0); }),
        expected, 0.018F);
  }
}

TEST(Quantization, SoftmaxOfOldOperatorSetsSumsOverAllFurtherAxes) {
  for (const bool has_constant_scales : {true, false}) {
    const Floats found = RunOne(has_constant_scales, "QLinearSoftmax", {2, 2, 3}, {2, 2, 3},
                                [](NodeBuilder node) { node.Int("axis", 1).Int("opset", 12); });
    float sum = 0.0F;
    for (std::size_t i = 0; i < 6; ++i) sum += found[i];
    EXPECT_NEAR(sum, 1.0F, 0.013F);
  }
}

TEST(Quantization, JoinsPartsWithScalesOfTheirOwn) {
  for (const bool has_constant_scales : {true, false}) {
    QuantizedModel model(has_constant_scales);
    model.QuantizedInput("a", {2}, {0.5F, -0.25F}, 0.25F, 3);
    model.QuantizedInput("b", {2}, {4.0F, 1.0F}, 0.5F, 0);
    model.Scale("y_scale", {0.25F}).Integers("y_zero", TensorProto::UINT8, {}, {3});
    model.Get()
        .Node("QLinearConcat",
              {"y_scale", "y_zero", "a", "a_scale", "a_zero", "b", "b_scale", "b_zero"}, {"joined"})
        .Domain(kMicrosoft)
        .Int("axis", 0);
    EXPECT_EQ(model.RunDequantized("joined", {4}), (Floats{0.5F, -0.25F, 4.0F, 1.0F}));
  }
}

TEST(Quantization, MovesQuantizedTensorsAsTheyAre) {
  QuantizedModel model(true);
  model.QuantizedInput("x", {2, 3}, {0, 1, 2, 3, 4, 5}, 1.0F, 0);
  model.Scale("y_scale", {1.0F}).Integers("y_zero", TensorProto::UINT8, {}, {0});
  model.Get().Int64s("shape", {6}).Node("Reshape", {"x", "shape"}, {"flat"});
  EXPECT_EQ(model.RunDequantized("flat", {6}), (Floats{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(model.GetLayers(), (std::vector<LayerType>{LayerType::kQuantize, LayerType::kReshape,
                                                       LayerType::kDequantize}));
}

// Before it has got its other shape, a layer has read it with the same scale.
TEST(Quantization, OfAConstantStaysWithItsShape) {
  QuantizedModel model(true);
  model.Scale("s", {0.5F}).Integers("q", TensorProto::INT8, {2, 3}, {0, 2, 4, 6, 8, 10});
  model.Get().Int64s("shape", {6}).Input("x", {6}).Output("y", {6});
  model.Get().Node("DequantizeLinear", {"q", "s"}, {"wide"});
  model.Get().Node("Reshape", {"q", "shape"}, {"flat"});
  model.Get().Node("DequantizeLinear", {"flat", "s"}, {"reals"});
  model.Get().Node("Add", {"x", "reals"}, {"y"});
  EXPECT_EQ(model.Get().GetOutputShape(), (TensorShape{6}));
  EXPECT_EQ(model.Get().Run({{0, 0, 0, 0, 0, 1}}), (Floats{0, 1, 2, 3, 4, 6}));
}

TEST(Quantization, ReadsStoredIntegersAsTheyAre) {
  QuantizedModel model(true);
  model.QuantizedInput("x", {2}, {0.5F, 1.0F}, 0.25F, 10);
  model.Get().Output("y", {2}).Node("Cast", {"x"}, {"y"}).Int("to", TensorProto::FLOAT);
  EXPECT_EQ(model.Get().Run({{0.5F, 1.0F}}), (Floats{12, 14}));
  EXPECT_TRUE(Has(model.GetLayers(), LayerType::kReinterpret));
}

TEST(Quantization, HasScalesAlongAnAxis) {
  for (const bool has_constant_scales : {true, false}) {
    QuantizedModel model(has_constant_scales);
    model.Input("x", {2, 3}, {1, 2, 3, 4, 5, 6}).Scale("y_scale", {1.0F, 0.5F, 2.0F}, {3});
    model.Integers("y_zero", TensorProto::INT8, {3}, {0, 100, 5});
    model.Get().Node("QuantizeLinear", {"x", "y_scale", "y_zero"}, {"q"}).Int("axis", -1);
    model.Get().Output("z", {2, 3}).Node("Cast", {"q"}, {"z"}).Int("to", TensorProto::FLOAT);
    std::vector<Floats> inputs = {{1, 2, 3, 4, 5, 6}};
    if (!has_constant_scales) inputs.push_back({1.0F, 0.5F, 2.0F});
    EXPECT_EQ(model.Get().Run(inputs), (Floats{1, 104, 7, 4, 110, 8}));
  }
}

TEST(Quantization, CalculatesWithScalesThatANetworkCannotState) {
  QuantizedModel model(true);
  model.Input("x", {2}, {1, -1}).Scale("y_scale", {-0.5F});
  model.Integers("y_zero", TensorProto::INT8, {}, {1});
  model.Get().Node("QuantizeLinear", {"x", "y_scale", "y_zero"}, {"q"});
  EXPECT_EQ(model.RunDequantized("q", {2}), (Floats{1, -1}));
  EXPECT_FALSE(Has(model.GetLayers(), LayerType::kQuantize));
}

TEST(Quantization, RefusesFewerZeroPointsThanScales) {
  QuantizedModel model(true);
  model.Input("x", {2}, {}).Scale("y_scale", {1.0F, 2.0F}, {2});
  model.Integers("y_zero", TensorProto::INT8, {1}, {1});
  model.Get().Output("q").Node("QuantizeLinear", {"x", "y_scale", "y_zero"}, {"q"}).Int("axis", 0);
  const Diagnostic error = model.Get().ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.causes.at(0).why, "as many as scales"));
}

TEST(Cast, KnowsTheNamesOfOldOperatorSets) {
  ModelBuilder builder(1);
  builder.Input("x", {2}).Output("y", {2});
  builder.Node("Cast", {"x"}, {"i"}).String("to", "INT32");
  builder.Node("Cast", {"i"}, {"y"}).String("to", "FLOAT");
  EXPECT_EQ(builder.Run({{1.75F, -1.75F}}), (Floats{1, -1}));
}

TEST(Cast, RefusesStrings) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("y").Node("Cast", {"x"}, {"y"}).Int("to", TensorProto::STRING);
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kUnsupportedAttribute);
}

TEST(Cast, ToTheSameTypeIsNothing) {
  ModelBuilder builder;
  builder.Input("x", {2}).Output("y").Node("Cast", {"x"}, {"y"}).Int("to", TensorProto::FLOAT);
  EXPECT_EQ(builder.Import().network->GetNumOperators(), 0U);
}

}  // namespace
}  // namespace backplane::onnx::test
