#include "operators/infer.hpp"

namespace backplane {
namespace {

ComparisonDescriptor MakeComparison(ComparisonOperation operation) {
  ComparisonDescriptor descriptor;
  descriptor.operation = operation;
  return descriptor;
}

TEST(Comparison, BroadcastsToBool) {
  const auto less = MakeComparison(ComparisonOperation::kLess);
  EXPECT_EQ(Infer<LayerType::kComparison>(less, {Float({2, 1, 4}), Float({3, 1})}),
            Typed(DataType::kBool, {2, 3, 4}));
  EXPECT_EQ(Infer<LayerType::kComparison>(less, {Float({}), Float({})}),
            Typed(DataType::kBool, {}));
  EXPECT_EQ(Infer<LayerType::kComparison>(less, {Float({0, 3}), Float({1, 3})}),
            Typed(DataType::kBool, {0, 3}));
}

TEST(Comparison, ComparesQuantizedTensorsWithoutAQuantizationOfTheResult) {
  EXPECT_EQ(Infer<LayerType::kComparison>(MakeComparison(ComparisonOperation::kEqual),
                                          {Quantized({2}), Quantized({2})}),
            Typed(DataType::kBool, {2}));
}

TEST(Comparison, OnlyEqualityIsDefinedOfBool) {
  const TensorInfo boolean = Typed(DataType::kBool, {2});
  for (std::uint32_t number = 1; number <= 6; ++number) {
    const auto descriptor = MakeComparison(ComparisonOperation{number});
    if (number <= 2) {
      EXPECT_EQ(Infer<LayerType::kComparison>(descriptor, {boolean, boolean}), boolean);
    } else {
      ExpectRefused<LayerType::kComparison>(descriptor, {boolean, boolean},
                                            DiagnosticCode::kWrongDataType, "bool [2]",
                                            "int64, uint64");
    }
  }
}

TEST(Comparison, RejectsUnknownOperation) {
  ExpectRefused<LayerType::kComparison>(
      MakeComparison(ComparisonOperation{7}), {Float({1}), Float({1})},
      DiagnosticCode::kInvalidDescriptor, "number 7", "LessOrEqual");
}

TEST(Comparison, RejectsExtentsAndTypesThatDiffer) {
  const auto equal = MakeComparison(ComparisonOperation::kEqual);
  ExpectRefused<LayerType::kComparison>(equal, {Float({2, 3}), Float({2})},
                                        DiagnosticCode::kWrongShape, "[2, 3] and [2]",
                                        "equal or 1");
  ExpectRefused<LayerType::kComparison>(equal, {Float({2}), Typed(DataType::kInt32, {2})},
                                        DiagnosticCode::kWrongDataType, "int32 [2] as input 1",
                                        "float32, the type of input 0");
}

}  // namespace
}  // namespace backplane
