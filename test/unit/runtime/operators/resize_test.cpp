#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

ResizeDescriptor DescribeResize(const std::vector<std::int64_t>& extents) {
  ResizeDescriptor descriptor;
  descriptor.rank = static_cast<std::uint32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  return descriptor;
}

void ExpectResizeRefused(const ResizeDescriptor& descriptor, const TensorInfo& input,
                         DiagnosticCode code, const std::string& found,
                         const std::string& expected) {
  ExpectRefused<LayerType::kResize>(descriptor, {input}, code, found, expected);
}

TensorInfo QuantizedAlongResize(std::int32_t axis, const TensorShape& shape) {
  TensorInfo info(shape, DataType::kInt8);
  info.quantization.scales.assign(static_cast<std::size_t>(shape[static_cast<std::uint32_t>(axis)]),
                                  0.5F);
  info.quantization.axis = axis;
  return info;
}

TEST(Resize, HasTheExtentsThatAreStated) {
  EXPECT_EQ(Infer<LayerType::kResize>(DescribeResize({2, 3, 8, 1}), {Float({2, 3, 4, 5})}),
            Float({2, 3, 8, 1}));
  EXPECT_EQ(Infer<LayerType::kResize>(DescribeResize({}), {Float({})}), Float({}));
}

TEST(Resize, MayLoseAllElementsButNotMakeThemOfNothing) {
  EXPECT_EQ(Infer<LayerType::kResize>(DescribeResize({0, 3}), {Float({2, 3})}), Float({0, 3}));
  EXPECT_EQ(Infer<LayerType::kResize>(DescribeResize({0, 6}), {Float({0, 3})}), Float({0, 6}));
  ExpectResizeRefused(DescribeResize({1, 3}), Float({0, 3}), DiagnosticCode::kWrongShape,
                      "extent 0", "elements to stretch");
}

TEST(Resize, NamesAnExtentForEachAxis) {
  ExpectResizeRefused(DescribeResize({2}), Float({2, 3}), DiagnosticCode::kInvalidDescriptor,
                      "found 1", "expected 2");
  ExpectResizeRefused(DescribeResize({2, -1}), Float({2, 3}), DiagnosticCode::kInvalidDescriptor,
                      "found -1", "0 or more");
}

TEST(Resize, RejectsOutputsThatAreTooLarge) {
  ExpectResizeRefused(DescribeResize({std::int64_t{1} << 62}), Float({1}),
                      DiagnosticCode::kTensorTooLarge, "4611686018427387904", "63 bits");
}

TEST(Resize, RejectsUnknownEnumerators) {
  ResizeDescriptor descriptor = DescribeResize({1});
  descriptor.interpolation = static_cast<Interpolation>(0);
  ExpectResizeRefused(descriptor, Float({1}), DiagnosticCode::kInvalidDescriptor, "number 0",
                      "Nearest, Linear or Cubic");
  descriptor = DescribeResize({1});
  descriptor.coordinates = static_cast<ResizeCoordinates>(8);
  ExpectResizeRefused(descriptor, Float({1}), DiagnosticCode::kInvalidDescriptor, "number 8",
                      "AlignCorners");
  descriptor = DescribeResize({1});
  descriptor.rounding = static_cast<NearestRounding>(5);
  ExpectResizeRefused(descriptor, Float({1}), DiagnosticCode::kInvalidDescriptor, "number 5",
                      "Floor or Ceil");
  descriptor = DescribeResize({1});
  descriptor.exclude_outside = 2;
  ExpectResizeRefused(descriptor, Float({1}), DiagnosticCode::kInvalidDescriptor, "found 2",
                      "0 or 1");
}

TEST(Resize, RejectsNumbersThatAreNotFinite) {
  ResizeDescriptor descriptor = DescribeResize({1});
  descriptor.scales[0] = -0.5;
  ExpectResizeRefused(descriptor, Float({1}), DiagnosticCode::kInvalidDescriptor, "-0.5",
                      "above 0");
  descriptor.scales[0] = std::numeric_limits<double>::quiet_NaN();
  ExpectResizeRefused(descriptor, Float({1}), DiagnosticCode::kInvalidDescriptor, "nan",
                      "a finite number");
  descriptor = DescribeResize({1});
  descriptor.coordinates = ResizeCoordinates::kTfCropAndResize;
  descriptor.roi_end[0] = std::numeric_limits<double>::infinity();
  ExpectResizeRefused(descriptor, Float({1}), DiagnosticCode::kInvalidDescriptor, "inf",
                      "a finite number");
  descriptor.coordinates = ResizeCoordinates::kHalfPixel;
  EXPECT_NO_THROW(Infer<LayerType::kResize>(descriptor, {Float({1})}));
}

TEST(Resize, MovesEverythingButInterpolatesNumbersOnly) {
  ResizeDescriptor descriptor = DescribeResize({2});
  EXPECT_EQ(Infer<LayerType::kResize>(descriptor, {Typed(DataType::kBool, {1})}),
            Typed(DataType::kBool, {2}));
  descriptor.interpolation = Interpolation::kLinear;
  EXPECT_EQ(Infer<LayerType::kResize>(descriptor, {Typed(DataType::kUInt8, {1})}),
            Typed(DataType::kUInt8, {2}));
  ExpectResizeRefused(descriptor, Typed(DataType::kInt64, {1}), DiagnosticCode::kWrongDataType,
                      "int64 [1]", "int32, uint32");
  descriptor.interpolation = Interpolation::kCubic;
  ExpectResizeRefused(descriptor, Typed(DataType::kUInt8, {1}), DiagnosticCode::kWrongDataType,
                      "uint8 [1]", "float32");
}

TEST(Resize, KeepsScalesAlongAnAxisThatStays) {
  EXPECT_EQ(Infer<LayerType::kResize>(DescribeResize({2, 6}), {QuantizedAlongResize(0, {2, 3})})
                .quantization,
            QuantizedAlongResize(0, {2, 3}).quantization);
  ExpectResizeRefused(DescribeResize({2, 6}), QuantizedAlongResize(1, {2, 3}),
                      DiagnosticCode::kWrongDataType, "quantized along axis 1",
                      "an axis that stays");
  ResizeDescriptor scaled = DescribeResize({2, 3});
  scaled.scales[1] = 1.1;
  ExpectResizeRefused(scaled, QuantizedAlongResize(1, {2, 3}), DiagnosticCode::kWrongDataType,
                      "quantized along axis 1", "one scale");
}

}  // namespace
}  // namespace backplane
