#include "operators/infer.hpp"

namespace backplane {
namespace {

const TensorInfo kCondition = Typed(DataType::kBool, {2, 3});

TensorInfo Choose(const TensorInfo& condition, const TensorInfo& a, const TensorInfo& b) {
  return Infer<LayerType::kWhere>({}, {condition, a, b});
}

TensorInfo QuantizedAlongWhere(std::int32_t axis, const TensorShape& shape) {
  TensorInfo info(shape, DataType::kInt8);
  info.quantization.scales = {0.5F, 0.25F};
  info.quantization.axis = axis;
  return info;
}

TEST(Where, BroadcastsAllThree) {
  EXPECT_EQ(Choose(kCondition, Float({3}), Float({4, 1, 1})), Float({4, 2, 3}));
  EXPECT_EQ(Choose(Typed(DataType::kBool, {}), Float({}), Float({})), Float({}));
  EXPECT_EQ(Choose(Typed(DataType::kBool, {0}), Float({1}), Float({})), Float({0}));
  EXPECT_EQ(Choose(kCondition, kCondition, kCondition), kCondition);
}

TEST(Where, KeepsTheQuantization) {
  EXPECT_EQ(Choose(kCondition, Quantized({2, 3}), Quantized({1})), Quantized({2, 3}));
  EXPECT_EQ(Choose(kCondition, QuantizedAlongWhere(0, {2, 3}), QuantizedAlongWhere(0, {2, 1})),
            QuantizedAlongWhere(0, {2, 3}));
}

TEST(Where, RejectsScalesAlongAnAxisThatIsAnotherInTheOutput) {
  ExpectRefused<LayerType::kWhere>({},
                                   {Typed(DataType::kBool, {4, 2, 3}),
                                    QuantizedAlongWhere(0, {2, 3}), QuantizedAlongWhere(0, {2, 3})},
                                   DiagnosticCode::kWrongDataType,
                                   "quantized along axis 0, and the output [4, 2, 3]", "one scale");
}

TEST(Where, RejectsAConditionThatIsNotBool) {
  ExpectRefused<LayerType::kWhere>({}, {Float({2}), Float({2}), Float({2})},
                                   DiagnosticCode::kWrongDataType, "float32 [2]", "bool");
}

TEST(Where, RejectsTypesThatDiffer) {
  ExpectRefused<LayerType::kWhere>({}, {kCondition, Float({3}), Typed(DataType::kInt32, {3})},
                                   DiagnosticCode::kWrongDataType, "int32 [3] as input 2",
                                   "float32");
}

TEST(Where, RejectsExtentsThatDiffer) {
  ExpectRefused<LayerType::kWhere>({}, {kCondition, Float({3}), Float({2})},
                                   DiagnosticCode::kWrongShape, "[2, 3] and [3] and [2]",
                                   "equal or 1");
}

}  // namespace
}  // namespace backplane
