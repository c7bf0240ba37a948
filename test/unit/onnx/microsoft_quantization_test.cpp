#include "attention_reference.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backplane::onnx::test {
namespace {

using ::onnx::TensorProto;

/// Models of one quantised operator of com.microsoft. Inputs of floats are quantised with constant
/// scales, or with ones that are known in the run only.
class QuantisedOperator {
 public:
  explicit QuantisedOperator(bool has_constant_scales = true)
      : has_constant_scales_(has_constant_scales), model_(MakeMicrosoftModel()) {}

  ModelBuilder& Get() { return model_; }

  QuantisedOperator& Reals(const std::string& name, const Dims& dims, const test::Reals& values) {
    model_.Input(name, dims);
    inputs_.push_back(values);
    return *this;
  }
  QuantisedOperator& Scale(const std::string& name, const Dims& dims, const test::Reals& values) {
    if (!has_constant_scales_) return Reals(name, dims, values);
    model_.Floats(name, dims, values);
    return *this;
  }
  QuantisedOperator& Integers(const std::string& name, TensorProto::DataType type, const Dims& dims,
                              const std::vector<std::int32_t>& values) {
    AddInt32s(model_, name, dims, values);
    auto& tensors = *model_.GetProto().mutable_graph()->mutable_initializer();
    tensors.rbegin()->set_data_type(type);
    return *this;
  }
  /// The tensor `name` of uint8, and its scale and zero point, from floats.
  QuantisedOperator& Quantised(const std::string& name, const Dims& dims, const test::Reals& values,
                               float scale, std::int32_t zero_point) {
    Reals(name + "_reals", dims, values).Scale(name + "_scale", {}, {scale});
    Integers(name + "_zero", TensorProto::UINT8, {}, {zero_point});
    model_.Node("QuantizeLinear", {name + "_reals", name + "_scale", name + "_zero"}, {name});
    return *this;
  }
  QuantisedOperator& Result(float scale, std::int32_t zero_point) {
    Scale("y_scale", {}, {scale});
    return Integers("y_zero", TensorProto::UINT8, {}, {zero_point});
  }
  NodeBuilder Node(const std::string& op_type, const Names& inputs, const Names& outputs = {"y"}) {
    return model_.Node(op_type, inputs, outputs).Domain("com.microsoft");
  }

  test::Reals Run() {
    model_.Output("y", {-1, -1, -1});
    return model_.Run(inputs_);
  }
  /// Of a quantised y.
  test::Reals RunDequantised() {
    model_.Node("DequantizeLinear", {"y", "y_scale", "y_zero"}, {"y_reals"});
    model_.Output("y_reals", {-1, -1, -1});
    return model_.Run(inputs_);
  }
  std::string GetReason(DiagnosticCode code) {
    model_.Output("y", {-1, -1, -1});
    const Diagnostic diagnostic = model_.ImportError();
    EXPECT_EQ(diagnostic.code, code) << ToText(diagnostic);
    return ToText(diagnostic);
  }

 private:
  const bool has_constant_scales_;
  ModelBuilder model_;
  std::vector<test::Reals> inputs_;
};

TEST(MatMulIntegerToFloat, MultipliesWithScalesOfColumns) {
  for (const bool has_constant_scales : {true, false}) {
    QuantisedOperator one(has_constant_scales);
    one.Quantised("a", {2, 2}, {1, 2, -3, 4}, 0.5F, 20);
    one.Integers("b", TensorProto::INT8, {2, 2}, {1, 2, 3, 4}).Scale("b_scale", {2}, {1, 10});
    one.Integers("b_zero", TensorProto::INT8, {2}, {0, 1}).Get().Floats("bias", {2}, {100, 200});
    one.Node("MatMulIntegerToFloat", {"a", "b", "a_scale", "b_scale", "a_zero", "b_zero", "bias"});
    // B is 1 and 3, 10 and 30.
    ExpectNearReals(one.Run(), {107, 270, 109, 290});
  }
}

TEST(MatMulIntegerToFloat, RefusesScalesOfRows) {
  QuantisedOperator one;
  one.Integers("a", TensorProto::UINT8, {2, 2}, {1, 2, 3, 4}).Scale("a_scale", {2}, {1, 2});
  one.Integers("b", TensorProto::UINT8, {2, 2}, {1, 2, 3, 4}).Scale("b_scale", {}, {1});
  one.Node("MatMulIntegerToFloat", {"a", "b", "a_scale", "b_scale"});
  EXPECT_TRUE(Contains(one.GetReason(DiagnosticCode::kUnsupportedAttribute),
                       "the scale of its first factor is 2"));
}

TEST(DynamicQuantizeMatMul, QuantisesWhatItIsGiven) {
  for (const bool has_zero_point : {true, false}) {
    QuantisedOperator one;
    // From -100 to 155: with 255 steps, each is 1.
    one.Reals("a", {2, 2}, {-100, 155, 7, 1}).Scale("b_scale", {}, {0.5F});
    one.Integers("b", TensorProto::UINT8, {2, 1}, {3, 5})
        .Integers("zero", TensorProto::UINT8, {}, {1});
    one.Get().Floats("bias", {1}, {1000});
    one.Node("DynamicQuantizeMatMul", {"a", "b", "b_scale", has_zero_point ? "zero" : "", "bias"});
    const Reals expected = has_zero_point ? Reals{1000 - 100 + 310, 1000 + 7 + 2}
                                          : Reals{1000 - 150 + 387.5F, 1000 + 10.5F + 2.5F};
    ExpectNearReals(one.Run(), expected, 1e-3);
  }
}

/// A [2, 2] and B [2, 3], or B transposed.
QuantisedOperator MakeGemm(bool has_constant_scales, bool is_b_transposed) {
  QuantisedOperator one(has_constant_scales);
  one.Quantised("a", {2, 2}, {1, 2, 3, 4}, 0.5F, 7);
  if (is_b_transposed) {
    one.Integers("b", TensorProto::UINT8, {3, 2}, {11, 14, 12, 15, 13, 16});
  } else {
    one.Integers("b", TensorProto::UINT8, {2, 3}, {11, 12, 13, 14, 15, 16});
  }
  one.Scale("b_scale", {}, {2}).Integers("b_zero", TensorProto::UINT8, {}, {10});
  one.Integers("c", TensorProto::INT32, {3}, {2, 2, 2}).Result(2, 1);
  return one;
}

const Names kGemmInputs = {"a",      "a_scale", "a_zero",  "b",     "b_scale",
                           "b_zero", "c",       "y_scale", "y_zero"};

TEST(QGemm, AddsAConstantInTheScaleOfItsProducts) {
  for (const bool has_constant_scales : {true, false}) {
    for (const bool is_b_transposed : {true, false}) {
      QuantisedOperator one = MakeGemm(has_constant_scales, is_b_transposed);
      one.Node("QGemm", kGemmInputs).Int("transB", is_b_transposed ? 1 : 0);
      // B is 2, 4, 6 and 8, 10, 12; the scale of the products is 1.
      ExpectNearReals(one.RunDequantised(), {20, 26, 32, 40, 54, 68}, 1e-3);
    }
  }
}

TEST(QGemm, MayHaveAFactorAndATransposedAAndGiveReals) {
  QuantisedOperator one = MakeGemm(true, false);
  Names inputs = kGemmInputs;
  inputs.resize(7);
  one.Node("QGemm", inputs).Int("transA", 1).Float("alpha", 0.5F);
  ExpectNearReals(one.Run(), {14, 18, 22, 19, 25, 31});
  QuantisedOperator quantised = MakeGemm(true, false);
  quantised.Node("QGemm", kGemmInputs).Int("transA", 1).Float("alpha", 0.5F);
  ExpectNearReals(quantised.RunDequantised(), {14, 18, 22, 20, 24, 32});
}

TEST(QGemm, RefusesWhatIsNoMatrix) {
  QuantisedOperator one;
  one.Quantised("a", {2}, {1, 2}, 0.5F, 7).Quantised("b", {2, 2}, {1, 2, 3, 4}, 1, 0);
  one.Node("QGemm", {"a", "a_scale", "a_zero", "b", "b_scale", "b_zero"});
  EXPECT_TRUE(Contains(one.GetReason(DiagnosticCode::kInvalidModel), "its A is 2; 2 axes"));
}

/// Multiples of `step`, below 1 in magnitude.
Reals MakeSteps(std::int64_t count, int seed, float step) {
  Reals reals;
  for (std::int64_t i = 0; i < count; ++i) {
    reals.push_back(step * static_cast<float>((i * 7 + seed * 5) % 15 - 7));
  }
  return reals;
}

TEST(QAttention, MakesItsOperandsByAProductOfIntegers) {
  AttentionSizes sizes;
  const Reals rows = MakeSteps(2 * 3 * 5, 1, 0.125F);
  const Reals bias = MakeReals(24, 3);
  QuantisedOperator one;
  one.Quantised("x", {2, 3, 5}, rows, 0.125F, 30).Scale("w_scale", {}, {0.25F});
  std::vector<std::int32_t> weights;
  for (std::int32_t i = 0; i < 120; ++i) weights.push_back(i * 5 % 13);
  one.Integers("w", TensorProto::UINT8, {5, 24}, weights);
  one.Integers("w_zero", TensorProto::UINT8, {}, {6}).Get().Floats("bias", {24}, bias);
  one.Node("QAttention", {"x", "w", "bias", "x_scale", "w_scale", "", "x_zero", "w_zero"})
      .Int("num_heads", 2)
      .Int("unidirectional", 1);
  std::vector<Reals> parts(3);
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t column = 0; column < 24; ++column) {
      float sum = bias[column];
      for (std::size_t i = 0; i < 5; ++i) {
        sum += rows[row * 5 + i] * 0.25F * static_cast<float>(weights[i * 24 + column] - 6);
      }
      parts[column / 8].push_back(sum);
    }
  }
  ExpectNearReals(one.Run(), Attend(sizes, parts[0], parts[1], parts[2],
                                    [](const ScorePlace& at, double score) {
                                      return at.key <= at.query ? score : -1.0e30;
                                    }));
}

TEST(QLinearWhere, ChoosesBetweenTensorsOfOtherScales) {
  for (const bool has_constant_scales : {true, false}) {
    QuantisedOperator one(has_constant_scales);
    one.Integers("condition", TensorProto::BOOL, {4}, {1, 0, 0, 1});
    one.Quantised("a", {4}, {1, 2, 3, 4}, 0.5F, 3).Quantised("b", {4}, {10, 20, 30, 40}, 2, 1);
    one.Result(1, 5).Node("QLinearWhere", {"condition", "a", "a_scale", "a_zero", "b", "b_scale",
                                           "b_zero", "y_scale", "y_zero"});
    ExpectNearReals(one.RunDequantised(), {1, 20, 30, 4});
  }
}

TEST(QLinearReduceMean, ReducesStatedAxesOrAll) {
  for (const bool has_constant_scales : {true, false}) {
    for (const bool has_axes : {true, false}) {
      QuantisedOperator one(has_constant_scales);
      one.Quantised("a", {2, 2}, {1, 2, 3, 4}, 0.5F, 3).Result(0.25F, 5);
      NodeBuilder node =
          one.Node("QLinearReduceMean", {"a", "a_scale", "a_zero", "y_scale", "y_zero"});
      node.Int("keepdims", 0);
      if (has_axes) node.Ints("axes", {-1});
      ExpectNearReals(one.RunDequantised(), has_axes ? Reals{1.5F, 3.5F} : Reals{2.5F});
    }
  }
}

TEST(QLinearPooling, MayHaveChannelsLast) {
  for (const std::string op_type : {"QLinearGlobalAveragePool", "QLinearAveragePool"}) {
    QuantisedOperator one;
    one.Quantised("x", {1, 1, 2, 3}, {1, 2, 3, 5, 6, 7}, 0.5F, 3).Result(0.5F, 5);
    NodeBuilder node = one.Node(op_type, {"x", "x_scale", "x_zero", "y_scale", "y_zero"});
    node.Int("channels_last", 1);
    if (op_type == "QLinearAveragePool") node.Ints("kernel_shape", {1, 2});
    ExpectNearReals(one.RunDequantised(), {3, 4, 5});
  }
}

TEST(QLinearPooling, RefusesAutomaticPadsOfChannelsLast) {
  QuantisedOperator one;
  one.Quantised("x", {1, 1, 2, 3}, {1, 2, 3, 5, 6, 7}, 0.5F, 3).Result(0.5F, 5);
  one.Node("QLinearAveragePool", {"x", "x_scale", "x_zero", "y_scale", "y_zero"})
      .Int("channels_last", 1)
      .Ints("kernel_shape", {1, 2})
      .String("auto_pad", "SAME_UPPER");
  EXPECT_TRUE(Contains(one.GetReason(DiagnosticCode::kUnsupportedAttribute), "SAME_UPPER"));
}

TEST(MicrosoftQuantizeLinear, HasTypesOf16Bits) {
  for (const TensorProto::DataType type : {TensorProto::INT16, TensorProto::UINT16}) {
    QuantisedOperator one;
    one.Reals("x", {3}, {-1, 2, 300}).Scale("scale", {}, {0.125F});
    one.Integers("zero", type, {}, {1000});
    one.Node("QuantizeLinear", {"x", "scale", "zero"}, {"stored"});
    one.Node("DequantizeLinear", {"stored", "scale", "zero"});
    ExpectNearReals(one.Run(), {-1, 2, 300});
  }
}

constexpr std::int64_t kInner = 3;
constexpr std::int64_t kHidden = 2;

/// Bytes [directions, rows, columns], and what they stand for, transposed, with a scale of 0.125.
std::vector<std::int32_t> MakeBytes(std::int64_t count) {
  std::vector<std::int32_t> bytes;
  for (std::int64_t i = 0; i < count; ++i)
    bytes.push_back(static_cast<std::int32_t>(i * 5 % 11 - 4));
  return bytes;
}

Reals TransposeReals(const std::vector<std::int32_t>& bytes, std::int64_t rows,
                     std::int64_t columns, float zero_point) {
  Reals reals;
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto place = static_cast<std::size_t>(row * columns + column);
      reals.push_back(0.125F * (static_cast<float>(bytes[place]) - zero_point));
    }
  }
  return reals;
}

TEST(DynamicQuantizeLSTM, IsThatOfTheRealsItsBytesStandFor) {
  const Reals x = MakeReals(2 * kInner, 1);
  const Reals bias = MakeReals(8 * kHidden, 2);
  const std::vector<std::int32_t> w = MakeBytes(kInner * 4 * kHidden);
  const std::vector<std::int32_t> r = MakeBytes(kHidden * 4 * kHidden);
  ModelBuilder reals = MakeMicrosoftModel();
  reals.Input("x", {2, 1, kInner}).Output("y", {-1, -1, -1, -1});
  reals.Floats("w", {1, 4 * kHidden, kInner}, TransposeReals(w, kInner, 4 * kHidden, 1));
  reals.Floats("r", {1, 4 * kHidden, kHidden}, TransposeReals(r, kHidden, 4 * kHidden, 0));
  reals.Floats("bias", {1, 8 * kHidden}, bias);
  reals.Node("LSTM", {"x", "w", "r", "bias"}, {"y"}).Int("hidden_size", kHidden);
  QuantisedOperator one;
  one.Reals("x", {2, 1, kInner}, x).Get().Floats("bias", {1, 8 * kHidden}, bias);
  one.Integers("w", TensorProto::INT8, {1, kInner, 4 * kHidden}, w);
  one.Integers("r", TensorProto::INT8, {1, kHidden, 4 * kHidden}, r);
  one.Integers("w_zero", TensorProto::INT8, {1}, {1}).Scale("w_scale", {1}, {0.125F});
  one.Scale("r_scale", {1, 4 * kHidden}, Reals(4 * kHidden, 0.125F));
  one.Node("DynamicQuantizeLSTM",
           {"x", "w", "r", "bias", "", "", "", "", "w_scale", "w_zero", "r_scale", ""})
      .Int("hidden_size", kHidden);
  ExpectNearReals(one.Run(), reals.Run({x}));
}

TEST(DynamicQuantizeLSTM, RefusesScalesThatDoNotFit) {
  QuantisedOperator one;
  one.Reals("x", {2, 1, kInner}, {});
  one.Integers("w", TensorProto::INT8, {1, kInner, 4 * kHidden}, MakeBytes(kInner * 4 * kHidden));
  one.Integers("r", TensorProto::INT8, {1, kHidden, 4 * kHidden}, MakeBytes(kHidden * 4 * kHidden));
  one.Scale("scale", {2}, {1, 1});
  one.Node("DynamicQuantizeLSTM", {"x", "w", "r", "", "", "", "", "", "scale", "", "scale", ""})
      .Int("hidden_size", kHidden);
  EXPECT_TRUE(Contains(one.GetReason(DiagnosticCode::kInvalidModel), "its input 8 is 2; 1 or 1x8"));
}

}  // namespace
}  // namespace backplane::onnx::test
