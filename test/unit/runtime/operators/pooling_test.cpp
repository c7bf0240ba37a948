#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

PoolingDescriptor SquarePooling(std::uint32_t kernel, std::uint32_t stride) {
  PoolingDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.kernel[axis] = kernel;
    descriptor.strides[axis] = stride;
  }
  return descriptor;
}

TensorInfo Pool(const PoolingDescriptor& descriptor, const TensorShape& input) {
  return Infer<LayerType::kPooling>(descriptor, {Float(input)});
}

void ExpectPoolingRefused(const PoolingDescriptor& descriptor, const TensorShape& input,
                          DiagnosticCode code, const std::string& found,
                          const std::string& expected) {
  ExpectRefused<LayerType::kPooling>(descriptor, {Float(input)}, code, found, expected);
}

TEST(Pooling, RoundsDownOrUp) {
  PoolingDescriptor descriptor = SquarePooling(3, 2);
  EXPECT_EQ(Pool(descriptor, {1, 4, 8, 9}), Float({1, 4, 3, 4}));
  descriptor.rounding = OutputRounding::kCeiling;
  EXPECT_EQ(Pool(descriptor, {1, 4, 8, 9}), Float({1, 4, 4, 4}));
}

TEST(Pooling, LeavesOutWindowThatWouldBeginBehindTheInput) {
  PoolingDescriptor descriptor = SquarePooling(1, 2);
  descriptor.rounding = OutputRounding::kCeiling;
  // (2 - 1) / 2 rounds up to 1, but the second window would begin at 2.
  EXPECT_EQ(Pool(descriptor, {1, 1, 2, 3}), Float({1, 1, 1, 2}));

  descriptor = SquarePooling(2, 3);
  descriptor.rounding = OutputRounding::kCeiling;
  descriptor.pads_begin[0] = 1;
  descriptor.pads_end[0] = 1;
  // Axis 0: 3 + 2 padded; a window at 3 begins in the last element, behind 1 of padding. Axis 1:
  // the second window would begin at 3, behind the input.
  EXPECT_EQ(Pool(descriptor, {1, 1, 3, 3}), Float({1, 1, 2, 1}));
  // Axis 0: 2 + 2 padded; the second window would begin at 3, in the padding at the end.
  EXPECT_EQ(Pool(descriptor, {1, 1, 2, 3}), Float({1, 1, 1, 1}));
}

TEST(Pooling, CountsPaddingAndDilation) {
  PoolingDescriptor descriptor = SquarePooling(3, 1);
  descriptor.dilations[0] = 2;
  descriptor.pads_begin[1] = 1;
  descriptor.pads_end[1] = 2;
  EXPECT_EQ(Pool(descriptor, {0, 4, 8, 8}), Float({0, 4, 4, 9}));
}

TEST(Pooling, RejectsPaddingAsWideAsTheKernel) {
  PoolingDescriptor descriptor = SquarePooling(2, 1);
  descriptor.pads_end[1] = 2;
  ExpectPoolingRefused(descriptor, {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor,
                       "padding 0 and 2", "less than 2");
}

TEST(Pooling, RejectsEmptySpatialAxis) {
  ExpectPoolingRefused(SquarePooling(1, 1), {1, 1, 0, 4}, DiagnosticCode::kWrongShape,
                       "extent 0 at spatial axis 0", "1 or more");
}

TEST(Pooling, RejectsValuesOfZero) {
  ExpectPoolingRefused(SquarePooling(0, 1), {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor,
                       "found 0", "1 or more");
  ExpectPoolingRefused(SquarePooling(1, 0), {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor,
                       "found 0", "1 or more");
  PoolingDescriptor descriptor = SquarePooling(1, 1);
  descriptor.dilations[1] = 0;
  ExpectPoolingRefused(descriptor, {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor, "found 0",
                       "1 or more");
}

TEST(Pooling, RejectsUnknownEnumerators) {
  PoolingDescriptor method;
  method.method = PoolingMethod{9};
  ExpectPoolingRefused(method, {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor, "number 9",
                       "Max, Average or Lp");
  PoolingDescriptor rounding;
  rounding.rounding = OutputRounding{0};
  ExpectPoolingRefused(rounding, {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor, "number 0",
                       "Floor or Ceiling");
  PoolingDescriptor padding;
  padding.padding_in_average = PaddingInAverage{3};
  ExpectPoolingRefused(padding, {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor, "number 3",
                       "Exclude or Include");
}

TEST(Pooling, RejectsExponentsThatAreNone) {
  PoolingDescriptor descriptor = SquarePooling(1, 1);
  descriptor.method = PoolingMethod::kLp;
  EXPECT_EQ(Pool(descriptor, {1, 1, 4, 4}), Float({1, 1, 4, 4}));
  descriptor.p = 0.0F;
  ExpectPoolingRefused(descriptor, {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor, "found 0.0",
                       "a finite number above 0");
  descriptor.p = std::numeric_limits<float>::infinity();
  ExpectPoolingRefused(descriptor, {1, 1, 4, 4}, DiagnosticCode::kInvalidDescriptor, "found inf",
                       "a finite number above 0");
}

TEST(Pooling, RejectsRankAndKernelThatDoNotFit) {
  ExpectPoolingRefused(SquarePooling(2, 1), {1, 1, 4}, DiagnosticCode::kWrongRank,
                       "float32 [1, 1, 4]", "rank 4");
  ExpectPoolingRefused(SquarePooling(5, 1), {1, 1, 4, 4}, DiagnosticCode::kWrongShape, "spans 5",
                       "at most 4");
}

TEST(Pooling, SurvivesTheLargestExtent) {
  PoolingDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.strides[0] = 4000000000U;
  descriptor.rounding = OutputRounding::kCeiling;
  const TensorInfo output =
      Infer<LayerType::kPooling>(descriptor, {Typed(DataType::kInt8, {1, 1, kMost})});
  EXPECT_EQ(output.shape[2], kMost / 4000000000 + 1);
}

}  // namespace
}  // namespace backplane
