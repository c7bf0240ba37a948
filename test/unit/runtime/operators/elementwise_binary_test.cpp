#include "operators/infer.hpp"

namespace backplane {
namespace {

TensorInfo AddElementwiseBinary(const TensorInfo& a, const TensorInfo& b) {
  return Infer<LayerType::kElementwiseBinary>({}, {a, b});
}

TEST(ElementwiseBinary, Broadcasts) {
  EXPECT_EQ(AddElementwiseBinary(Float({2, 1, 4}), Float({3, 1})), Float({2, 3, 4}));
  EXPECT_EQ(AddElementwiseBinary(Float({}), Float({5})), Float({5}));
  EXPECT_EQ(AddElementwiseBinary(Float({}), Float({})), Float({}));
  EXPECT_EQ(AddElementwiseBinary(Float({0, 3}), Float({1, 3})), Float({0, 3}));
  EXPECT_EQ(AddElementwiseBinary(Typed(DataType::kInt64, {2}), Typed(DataType::kInt64, {2})),
            Typed(DataType::kInt64, {2}));
}

TEST(ElementwiseBinary, RejectsExtentsThatDiffer) {
  ExpectRefused<LayerType::kElementwiseBinary>(
      {}, {Float({2, 3}), Float({2})}, DiagnosticCode::kWrongShape, "[2, 3] and [2]", "equal or 1");
  ExpectRefused<LayerType::kElementwiseBinary>(
      {}, {Float({0}), Float({3})}, DiagnosticCode::kWrongShape, "[0] and [3]", "equal or 1");
}

TEST(ElementwiseBinary, RejectsTypesThatDiffer) {
  ExpectRefused<LayerType::kElementwiseBinary>(
      {}, {Float({2}), Typed(DataType::kInt32, {2})}, DiagnosticCode::kWrongDataType,
      "int32 [2] as input 1", "float32, the type of input 0");
}

TEST(ElementwiseBinary, RejectsBool) {
  ExpectRefused<LayerType::kElementwiseBinary>(
      {}, {Typed(DataType::kBool, {2}), Typed(DataType::kBool, {2})},
      DiagnosticCode::kWrongDataType, "bool [2]", "int64, uint64");
}

TEST(ElementwiseBinary, RejectsUnknownOperation) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = BinaryOperation{0};
  ExpectRefused<LayerType::kElementwiseBinary>(descriptor, {Float({2}), Float({2})},
                                               DiagnosticCode::kInvalidDescriptor, "number 0",
                                               "Minimum");
}

}  // namespace
}  // namespace backplane
