#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

MaxUnpoolingDescriptor DescribeMaxUnpooling(std::int64_t index_extent, std::int64_t extent) {
  MaxUnpoolingDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.index_extents[axis] = index_extent;
    descriptor.extents[axis] = extent;
  }
  return descriptor;
}

std::vector<TensorInfo> MakeMaxUnpoolingInputs(const TensorShape& shape) {
  return {Float(shape), Typed(DataType::kInt64, shape)};
}

void ExpectUnpoolingRefused(const MaxUnpoolingDescriptor& descriptor,
                            const std::vector<TensorInfo>& inputs, DiagnosticCode code,
                            const std::string& found, const std::string& expected) {
  ExpectRefused<LayerType::kMaxUnpooling>(descriptor, inputs, code, found, expected);
}

TEST(MaxUnpooling, HasTheExtentsThatAreStated) {
  EXPECT_EQ(Infer<LayerType::kMaxUnpooling>(DescribeMaxUnpooling(4, 5),
                                            MakeMaxUnpoolingInputs({2, 3, 2, 2})),
            Float({2, 3, 5, 5}));
  EXPECT_EQ(Infer<LayerType::kMaxUnpooling>(DescribeMaxUnpooling(0, 0),
                                            MakeMaxUnpoolingInputs({2, 3, 2, 2})),
            Float({2, 3, 0, 0}));
}

TEST(MaxUnpooling, TakesIndicesOfBothTypes) {
  const TensorShape shape = {1, 1, 2, 2};
  EXPECT_EQ(Infer<LayerType::kMaxUnpooling>(DescribeMaxUnpooling(4, 4),
                                            {Float(shape), Typed(DataType::kInt32, shape)}),
            Float({1, 1, 4, 4}));
  ExpectUnpoolingRefused(DescribeMaxUnpooling(4, 4), {Float(shape), Float(shape)},
                         DiagnosticCode::kWrongDataType, "float32", "int64");
}

TEST(MaxUnpooling, RejectsIndicesOfAnotherShape) {
  ExpectUnpoolingRefused(DescribeMaxUnpooling(4, 4),
                         {Float({1, 1, 2, 2}), Typed(DataType::kInt64, {1, 1, 2, 3})},
                         DiagnosticCode::kWrongShape, "extent 3 at axis 3", "expected 2");
}

TEST(MaxUnpooling, RejectsExtentsThatAreNone) {
  ExpectUnpoolingRefused(DescribeMaxUnpooling(4, -1), MakeMaxUnpoolingInputs({1, 1, 2, 2}),
                         DiagnosticCode::kInvalidDescriptor, "found -1 at spatial axis 0",
                         "0 or more");
  ExpectUnpoolingRefused(DescribeMaxUnpooling(-7, 4), MakeMaxUnpoolingInputs({1, 1, 2, 2}),
                         DiagnosticCode::kInvalidDescriptor, "found -7 at spatial axis 0",
                         "0 or more");
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max() / 2;
  ExpectUnpoolingRefused(DescribeMaxUnpooling(kHuge, 4), MakeMaxUnpoolingInputs({1, 1, 2, 2}),
                         DiagnosticCode::kTensorTooLarge, "index_extents", "63 bits");
}

TEST(MaxUnpooling, RejectsOtherRanks) {
  ExpectUnpoolingRefused(DescribeMaxUnpooling(4, 4), MakeMaxUnpoolingInputs({1, 2, 2}),
                         DiagnosticCode::kWrongRank, "float32 [1, 2, 2]", "rank 4");
  MaxUnpoolingDescriptor descriptor = DescribeMaxUnpooling(4, 4);
  descriptor.spatial_rank = 4;
  ExpectUnpoolingRefused(descriptor, MakeMaxUnpoolingInputs({1, 1, 2, 2}),
                         DiagnosticCode::kInvalidDescriptor, "found 4", "1 to 3");
}

}  // namespace
}  // namespace backplane
