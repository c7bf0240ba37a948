#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

OneHotDescriptor DescribeOneHot(std::uint32_t axis, std::int64_t depth) {
  OneHotDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.depth = depth;
  return descriptor;
}

TensorInfo IndicesOneHot(const TensorShape& shape) {
  return Typed(DataType::kUInt8, shape);
}

TEST(OneHot, HasOneMoreAxisAndTheTypeOfTheValues) {
  EXPECT_EQ(Infer<LayerType::kOneHot>(DescribeOneHot(1, 5), {IndicesOneHot({2, 3}), Float({2})}),
            Float({2, 5, 3}));
  EXPECT_EQ(
      Infer<LayerType::kOneHot>(DescribeOneHot(0, 5), {Float({}), Typed(DataType::kBool, {2})}),
      Typed(DataType::kBool, {5}));
  EXPECT_EQ(Infer<LayerType::kOneHot>(DescribeOneHot(1, 0), {IndicesOneHot({2}), Quantized({2})}),
            Quantized({2, 0}));
}

TEST(OneHot, RejectsDescriptorsThatDoNotFit) {
  ExpectRefused<LayerType::kOneHot>(DescribeOneHot(2, 5), {IndicesOneHot({2}), Float({2})},
                                    kInvalid, "axis 2", "at most 1");
  ExpectRefused<LayerType::kOneHot>(DescribeOneHot(0, -1), {IndicesOneHot({2}), Float({2})},
                                    kInvalid, "found -1", "0 or more");
  ExpectRefused<LayerType::kOneHot>(DescribeOneHot(0, kMost), {IndicesOneHot({2}), Float({2})},
                                    DiagnosticCode::kTensorTooLarge, "9223372036854775807",
                                    "63 bits");
}

TEST(OneHot, RejectsOtherValuesThanOffAndOn) {
  ExpectRefused<LayerType::kOneHot>(DescribeOneHot(0, 5), {IndicesOneHot({2}), Float({3})},
                                    DiagnosticCode::kWrongShape, "extent 3 at axis 0",
                                    "expected 2");
  ExpectRefused<LayerType::kOneHot>(DescribeOneHot(0, 5), {IndicesOneHot({2}), Float({})},
                                    DiagnosticCode::kWrongRank, "float32 []", "[off, on]");
  TensorInfo values = Quantized({2});
  values.quantization.scales = {0.5F, 0.25F};
  ExpectRefused<LayerType::kOneHot>(DescribeOneHot(0, 5), {IndicesOneHot({2}), values},
                                    DiagnosticCode::kWrongDataType, "along axis 0", "one scale");
}

TEST(OneHot, RejectsIndicesThatAreNoNumbers) {
  ExpectRefused<LayerType::kOneHot>(DescribeOneHot(0, 5), {Typed(DataType::kBool, {2}), Float({2})},
                                    DiagnosticCode::kWrongDataType, "bool [2]", "int64");
}

}  // namespace
}  // namespace backplane
