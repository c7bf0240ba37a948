#include "test/float_case.hpp"
#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

using Floats = std::vector<float>;

ResizeDescriptor DescribeResize(Interpolation interpolation, ResizeCoordinates coordinates,
                                const std::vector<std::int64_t>& extents,
                                const std::vector<double>& scales = {}) {
  ResizeDescriptor descriptor;
  descriptor.interpolation = interpolation;
  descriptor.coordinates = coordinates;
  descriptor.rank = static_cast<std::uint32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  std::copy(scales.begin(), scales.end(), descriptor.scales);
  return descriptor;
}

TensorShape GetResizeShape(const ResizeDescriptor& descriptor) {
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < descriptor.rank; ++axis) {
    shape.Append(descriptor.extents[axis]);
  }
  return shape;
}

Floats ResizeTensor(const ResizeDescriptor& descriptor, const FloatTensor& input) {
  return RunLayer(LayerType::kResize, descriptor, {input}, GetResizeShape(descriptor));
}

Floats ResizeRow(const ResizeDescriptor& descriptor, const Floats& row) {
  return ResizeTensor(descriptor, FloatTensor({static_cast<std::int64_t>(row.size())}, row));
}

Floats RunNearest(NearestRounding rounding, ResizeCoordinates coordinates, std::int64_t extent,
                  const Floats& row) {
  ResizeDescriptor descriptor = DescribeResize(Interpolation::kNearest, coordinates, {extent});
  descriptor.rounding = rounding;
  return ResizeRow(descriptor, row);
}

TEST(Resize, RoundsHalfWayAsItSays) {
  // Aligned corners put the middle one of three half way between two elements.
  const Floats row = {1, 2};
  const auto run = [&](NearestRounding rounding) {
    return RunNearest(rounding, ResizeCoordinates::kAlignCorners, 3, row);
  };
  EXPECT_EQ(run(NearestRounding::kRoundPreferFloor), (Floats{1, 1, 2}));
  EXPECT_EQ(run(NearestRounding::kRoundPreferCeil), (Floats{1, 2, 2}));
  EXPECT_EQ(run(NearestRounding::kFloor), (Floats{1, 1, 2}));
  EXPECT_EQ(run(NearestRounding::kCeil), (Floats{1, 2, 2}));
}

TEST(Resize, UsesTheScaleThatIsStatedAndNotThatOfTheExtents) {
  const Floats row = {0, 1, 2, 3};
  const auto asymmetric = ResizeCoordinates::kAsymmetric;
  ResizeDescriptor descriptor = DescribeResize(Interpolation::kLinear, asymmetric, {2}, {0.6});
  ExpectNear(ResizeRow(descriptor, row), {0, 1 / 0.6});
  descriptor.scales[0] = 0;
  EXPECT_EQ(ResizeRow(descriptor, row), (Floats{0, 2}));
  descriptor = DescribeResize(Interpolation::kLinear, ResizeCoordinates::kAlignCorners, {2}, {0.6});
  ExpectNear(ResizeRow(descriptor, row), {0, 3 / 1.4});
}

TEST(Resize, ComputesRandomShapesWithAnyScale) {
  Random random(82);
  for (int round = 0; round < 100; ++round) {
    const FloatTensor input = random.Tensor(random.Shape(3, 1, 9));
    const TensorShape output = random.Shape(3, 1, 12);
    const ResizeDescriptor descriptor = DescribeResize(
        Interpolation::kLinear, ResizeCoordinates::kHalfPixel, {output[0], output[1], output[2]});
    ExpectAsOracle(GetOracleOfResize(), descriptor, {input}, output);
  }
}

TEST(Resize, LeavesAxesOfScaleOneAlone) {
  const Floats values = {1, std::nanf(""), kInfinity, 4};
  const auto run = [&](Interpolation interpolation) {
    return ResizeTensor(
        DescribeResize(interpolation, ResizeCoordinates::kTfHalfPixelForNn, {4}, {1}),
        FloatTensor({4}, values));
  };
  for (const auto interpolation :
       {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kCubic}) {
    const Floats result = run(interpolation);
    EXPECT_EQ(result[0], 1);
    EXPECT_TRUE(std::isnan(result[1]));
    EXPECT_EQ(result[2], kInfinity);
    EXPECT_EQ(result[3], 4);
  }
}

TEST(Resize, SpoilsTheNeighboursOfNaNOnly) {
  const Floats result =
      ResizeRow(DescribeResize(Interpolation::kLinear, ResizeCoordinates::kHalfPixel, {8}),
                {1, std::nanf(""), 3, 4});
  EXPECT_EQ(result[0], 1);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_TRUE(std::isnan(result[i])) << i;
  EXPECT_EQ(result[5], 3.25F);
  EXPECT_EQ(result[7], 4);
}

TEST(Resize, TakesOneElementForAll) {
  EXPECT_EQ(
      ResizeRow(DescribeResize(Interpolation::kCubic, ResizeCoordinates::kHalfPixel, {3}), {5}),
      (Floats{5, 5, 5}));
  EXPECT_EQ(ResizeRow(DescribeResize(Interpolation::kLinear, ResizeCoordinates::kAlignCorners, {1}),
                      {5, 6}),
            (Floats{5}));
  const auto pytorch = ResizeCoordinates::kPytorchHalfPixel;
  EXPECT_EQ(ResizeRow(DescribeResize(Interpolation::kLinear, pytorch, {1}), {5, 6, 7}),
            (Floats{5}));
  EXPECT_EQ(ResizeRow(DescribeResize(Interpolation::kLinear, ResizeCoordinates::kHalfPixel, {1}),
                      {5, 6, 7}),
            (Floats{6}));
}

TEST(Resize, GivesTheExtrapolationValueOutside) {
  ResizeDescriptor descriptor =
      DescribeResize(Interpolation::kLinear, ResizeCoordinates::kTfCropAndResize, {3});
  descriptor.roi_begin[0] = -1;
  descriptor.extrapolation_value = 9.5F;
  EXPECT_EQ(ResizeRow(descriptor, {1, 2}), (Floats{9.5F, 1, 2}));
  descriptor.interpolation = Interpolation::kNearest;
  EXPECT_EQ(ResizeRow(descriptor, {1, 2}), (Floats{9.5F, 1, 2}));
}

TEST(Resize, SaturatesTheExtrapolationValueOfIntegers) {
  ResizeDescriptor descriptor =
      DescribeResize(Interpolation::kNearest, ResizeCoordinates::kTfCropAndResize, {3});
  descriptor.roi_begin[0] = -1;
  const auto run = [&](float value) {
    descriptor.extrapolation_value = value;
    return GetStored<std::int8_t>(
        RunStored(LayerType::kResize, descriptor,
                  {MakeStored(DataType::kInt8, std::vector<std::int8_t>{1, 2})},
                  TensorInfo({3}, DataType::kInt8)))[0];
  };
  EXPECT_EQ(run(1000.0F), 127);
  EXPECT_EQ(run(-kInfinity), -128);
  EXPECT_EQ(run(2.5F), 2);
  EXPECT_EQ(run(std::nanf("")), 0);
}

TEST(Resize, RoundsIntegersToEven) {
  const auto result =
      RunStored(LayerType::kResize,
                DescribeResize(Interpolation::kLinear, ResizeCoordinates::kAlignCorners, {5}),
                {MakeStored(DataType::kInt32, std::vector<std::int32_t>{1, 2, 2147483647})},
                TensorInfo({5}, DataType::kInt32));
  EXPECT_EQ(GetStored<std::int32_t>(result),
            (std::vector<std::int32_t>{1, 2, 2, 1073741824, 2147483647}));
}

TEST(Resize, ExcludesWhatLiesOutsideFromCubicSums) {
  ResizeDescriptor descriptor =
      DescribeResize(Interpolation::kCubic, ResizeCoordinates::kHalfPixel, {4});
  descriptor.exclude_outside = 1;
  // Weights of a constant still add up to 1.
  for (const float element : ResizeRow(descriptor, {3, 3})) EXPECT_FLOAT_EQ(element, 3);
}

TEST(Resize, StaysInsideWhateverTheScale) {
  for (const double scale : {1e-300, 1e300, 5e-324}) {
    for (const auto coordinates :
         {ResizeCoordinates::kHalfPixel, ResizeCoordinates::kAlignCorners,
          ResizeCoordinates::kAsymmetric, ResizeCoordinates::kHalfPixelSymmetric}) {
      for (const auto interpolation :
           {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kCubic}) {
        for (const float element :
             ResizeRow(DescribeResize(interpolation, coordinates, {4}, {scale}), {7, 7, 7})) {
          EXPECT_FLOAT_EQ(element, 7);
        }
      }
    }
  }
}

TEST(Resize, TakesEmptyTensors) {
  const auto half_pixel = ResizeCoordinates::kHalfPixel;
  EXPECT_TRUE(
      ResizeTensor(DescribeResize(Interpolation::kLinear, half_pixel, {0, 3}), FloatTensor({2, 3}))
          .empty());
  EXPECT_TRUE(
      ResizeTensor(DescribeResize(Interpolation::kCubic, half_pixel, {0, std::int64_t{1} << 60}),
                   FloatTensor({0, 1}))
          .empty());
}

std::string GetResizeRefusalOf(const ResizeDescriptor& descriptor, const TensorInfo& input,
                               const TensorInfo& output) {
  return GetRefusal({LayerType::kResize, descriptor, {input}, output});
}

TEST(Resize, RefusesWhatItCannotResize) {
  const auto half_pixel = ResizeCoordinates::kHalfPixel;
  const TensorInfo input({2}, DataType::kFloat32);
  const TensorInfo output({3}, DataType::kFloat32);
  EXPECT_EQ(
      GetResizeRefusalOf(DescribeResize(Interpolation::kLinear, half_pixel, {4}), input, output),
      "the output has shape [3], but the inputs give [4]");
  EXPECT_EQ(
      GetResizeRefusalOf(DescribeResize(Interpolation::kLinear, half_pixel, {3, 1}), input, output),
      "the descriptor has rank 2, but input 0 has rank 1");
  EXPECT_EQ(GetResizeRefusalOf(DescribeResize(Interpolation::kLinear, half_pixel, {3}),
                               TensorInfo({0}, DataType::kFloat32), output),
            "axis 0 of extent 0 cannot become 3 elements");
  EXPECT_EQ(GetResizeRefusalOf(DescribeResize(Interpolation::kLinear, half_pixel, {3}, {-1}), input,
                               output),
            "the scale of axis 0 must be finite and 0 or more");
  EXPECT_EQ(GetResizeRefusalOf(DescribeResize(static_cast<Interpolation>(4), half_pixel, {3}),
                               input, output),
            "interpolation 4 is not supported, only Nearest (1), Linear (2) and Cubic (3)");
  EXPECT_EQ(
      GetResizeRefusalOf(DescribeResize(Interpolation::kLinear, half_pixel, {3}),
                         TensorInfo({2}, DataType::kInt64), TensorInfo({3}, DataType::kInt64)),
      "linear interpolation of int64 is not supported, only of integers of up to 32 bits");
}

TEST(Resize, RefusesScalesAlongAnAxisThatItResizes) {
  TensorInfo input({2}, DataType::kInt8);
  input.quantization.scales = {0.5F, 0.25F};
  TensorInfo output({3}, DataType::kInt8);
  output.quantization.scales = {0.5F};
  EXPECT_EQ(
      GetResizeRefusalOf(DescribeResize(Interpolation::kLinear, ResizeCoordinates::kHalfPixel, {3}),
                         input, output),
      "input 0 is quantised along axis 0, which is resized");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
