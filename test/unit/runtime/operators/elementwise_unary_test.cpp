#include "operators/infer.hpp"

namespace backplane {
namespace {

ElementwiseUnaryDescriptor MakeElementwiseUnary(UnaryOperation operation) {
  ElementwiseUnaryDescriptor descriptor;
  descriptor.operation = operation;
  return descriptor;
}

TensorInfo InferUnary(UnaryOperation operation, const TensorInfo& input) {
  return Infer<LayerType::kElementwiseUnary>(MakeElementwiseUnary(operation), {input});
}

TEST(ElementwiseUnary, KeepsShapeAndType) {
  EXPECT_EQ(InferUnary(UnaryOperation::kExp, Float({2, 3})), Float({2, 3}));
  EXPECT_EQ(InferUnary(UnaryOperation::kRound, Float({})), Float({}));
  EXPECT_EQ(InferUnary(UnaryOperation::kAbs, Float({0, 5})), Float({0, 5}));
  EXPECT_EQ(InferUnary(UnaryOperation::kNegate, Typed(DataType::kInt64, {2})),
            Typed(DataType::kInt64, {2}));
  EXPECT_EQ(InferUnary(UnaryOperation::kBitwiseNot, Typed(DataType::kUInt8, {2})),
            Typed(DataType::kUInt8, {2}));
  EXPECT_EQ(InferUnary(UnaryOperation::kLogicalNot, Typed(DataType::kBool, {2})),
            Typed(DataType::kBool, {2}));
}

TEST(ElementwiseUnary, RejectsUnknownOperation) {
  for (const std::uint32_t number : {0U, 25U}) {
    ExpectRefused<LayerType::kElementwiseUnary>(MakeElementwiseUnary(UnaryOperation{number}),
                                                {Float({1})}, DiagnosticCode::kInvalidDescriptor,
                                                "number " + std::to_string(number),
                                                "1 (Abs) to 24 (LogicalNot)");
  }
}

TEST(ElementwiseUnary, RejectsTypesThatTheOperationMakesNoSenseOf) {
  const struct {
    UnaryOperation operation;
    DataType type;
    const char* expected;
  } rows[] = {
      {UnaryOperation::kSign, DataType::kBool, "int64, uint64, or quantized"},
      {UnaryOperation::kSqrt, DataType::kInt32, "float64, or quantized"},
      {UnaryOperation::kBitwiseNot, DataType::kFloat32, "uint64; not quantized"},
      {UnaryOperation::kBitwiseNot, DataType::kBool, "uint64; not quantized"},
      {UnaryOperation::kLogicalNot, DataType::kUInt8, "expected bool; not quantized"},
  };
  for (const auto& row : rows) {
    ExpectRefused<LayerType::kElementwiseUnary>(
        MakeElementwiseUnary(row.operation), {Typed(row.type, {1})}, DiagnosticCode::kWrongDataType,
        std::string(GetDataTypeName(row.type)) + " [1]", row.expected);
  }
}

}  // namespace
}  // namespace backplane
