#include "test/float_case.hpp"
#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

using Floats = std::vector<float>;

GridSampleDescriptor DescribeGridSample(Interpolation interpolation, GridPadding padding,
                                        std::uint32_t align_corners = 0) {
  GridSampleDescriptor descriptor;
  descriptor.interpolation = interpolation;
  descriptor.padding = padding;
  descriptor.align_corners = align_corners;
  return descriptor;
}

/// Samples one row.
Floats Sample(const GridSampleDescriptor& descriptor, const Floats& row, const Floats& grid) {
  const auto count = static_cast<std::int64_t>(grid.size());
  return RunLayer(LayerType::kGridSample, descriptor,
                  {FloatTensor({1, 1, static_cast<std::int64_t>(row.size())}, row),
                   FloatTensor({1, count, 1}, grid)},
                  {1, 1, count});
}

TEST(GridSample, CountsFromTheEdgesOrFromTheMiddleOfTheElementsThere) {
  const Floats row = {10, 20, 30, 40};
  const Floats grid = {-1, -0.75F, 0, 0.75F, 1};
  EXPECT_EQ(Sample(DescribeGridSample(Interpolation::kLinear, GridPadding::kBorder), row, grid),
            (Floats{10, 10, 25, 40, 40}));
  EXPECT_EQ(Sample(DescribeGridSample(Interpolation::kLinear, GridPadding::kBorder, 1), row, grid),
            (Floats{10, 13.75F, 25, 36.25F, 40}));
}

TEST(GridSample, FindsZerosOutside) {
  const Floats row = {10, 20};
  EXPECT_EQ(Sample(DescribeGridSample(Interpolation::kLinear, GridPadding::kZeros), row,
                   {-1, 1, -2, 3, kInfinity, -kInfinity}),
            (Floats{5, 10, 0, 0, 0, 0}));
  EXPECT_EQ(
      Sample(DescribeGridSample(Interpolation::kNearest, GridPadding::kZeros), row, {-1, -0.75F}),
      (Floats{10, 10}));
}

TEST(GridSample, EveryPlaceOfASingleElementIsItsMiddle) {
  for (const auto padding : {GridPadding::kZeros, GridPadding::kBorder, GridPadding::kReflection}) {
    for (const auto interpolation :
         {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kCubic}) {
      EXPECT_EQ(Sample(DescribeGridSample(interpolation, padding, 1), {7},
                       {0, 9, kInfinity, -kInfinity, 3e38F}),
                Floats(5, 7.0F));
    }
  }
}

TEST(GridSample, NeverMultipliesZerosOutsideWithAnythingInside) {
  const Floats result = Sample(DescribeGridSample(Interpolation::kLinear, GridPadding::kZeros),
                               {kInfinity, 1}, {5, 0.5F});
  EXPECT_EQ(result[0], 0);
}

TEST(GridSample, MirrorsAtTheBordersAsOftenAsNeeded) {
  const Floats row = {10, 20, 30};
  EXPECT_EQ(Sample(DescribeGridSample(Interpolation::kLinear, GridPadding::kReflection, 1), row,
                   {-2, -3, -4, 2, 3, 5, 6}),
            (Floats{20, 30, 20, 20, 10, 30, 20}));
  EXPECT_EQ(Sample(DescribeGridSample(Interpolation::kNearest, GridPadding::kReflection), row,
                   {-4.0F / 3, -2, 4.0F / 3}),
            (Floats{10, 20, 30}));
}

TEST(GridSample, TakesAnyNumberForAPlace) {
  const Floats row = {10, 20, 30};
  for (const auto padding : {GridPadding::kZeros, GridPadding::kBorder, GridPadding::kReflection}) {
    for (const auto interpolation :
         {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kCubic}) {
      for (const float element :
           Sample(DescribeGridSample(interpolation, padding), row,
                  {std::nanf(""), kInfinity, -kInfinity, 3e38F, -3e38F, 1e-40F})) {
        EXPECT_TRUE(std::isfinite(element));
      }
    }
  }
  EXPECT_EQ(Sample(DescribeGridSample(Interpolation::kLinear, GridPadding::kBorder, 1), row,
                   {std::nanf("")}),
            (Floats{10}));
}

TEST(GridSample, MirrorsASingleElementToItself) {
  EXPECT_EQ(Sample(DescribeGridSample(Interpolation::kCubic, GridPadding::kReflection, 1), {7},
                   {0.5F, -9}),
            (Floats{7, 7}));
}

TEST(GridSample, ReadsTheInnermostAxisFirst) {
  // One place in an image of 2 rows and 3 columns: the last column of the first row.
  EXPECT_EQ(
      RunLayer(LayerType::kGridSample,
               DescribeGridSample(Interpolation::kNearest, GridPadding::kZeros, 1),
               {FloatTensor({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}), FloatTensor({1, 1, 1, 2}, {1, -1})},
               {1, 1, 1, 1}),
      (Floats{3}));
}

TEST(GridSample, SamplesRandomImagesAsWeightedSums) {
  Random random(83);
  for (int round = 0; round < 50; ++round) {
    const FloatTensor input = random.Tensor({2, 3, random.Integer(1, 6), random.Integer(1, 6)});
    const FloatTensor grid = random.Tensor({2, 4, 5, 2});
    ExpectAsOracle(GetOracleOfGridSample(),
                   DescribeGridSample(Interpolation::kLinear, GridPadding::kZeros), {input, grid},
                   {2, 3, 4, 5});
  }
}

TEST(GridSample, TakesEmptyTensors) {
  const auto descriptor = DescribeGridSample(Interpolation::kLinear, GridPadding::kZeros);
  EXPECT_TRUE(Sample(descriptor, {1, 2}, {}).empty());
  EXPECT_TRUE(RunLayer(LayerType::kGridSample, descriptor,
                       {FloatTensor({1, 0, 3}), FloatTensor({1, 2, 1})}, {1, 0, 2})
                  .empty());
}

std::string GetGridSampleRefusalOf(const GridSampleDescriptor& descriptor, const TensorInfo& input,
                                   const TensorInfo& grid, const TensorShape& output) {
  return GetRefusal(
      {LayerType::kGridSample, descriptor, {input, grid}, TensorInfo(output, input.data_type)});
}

TEST(GridSample, RefusesWhatItCannotSample) {
  const auto descriptor = DescribeGridSample(Interpolation::kLinear, GridPadding::kZeros);
  const TensorInfo input({1, 1, 3}, DataType::kFloat32);
  const TensorInfo grid({1, 2, 1}, DataType::kFloat32);
  EXPECT_EQ(GetGridSampleRefusalOf(descriptor, input, grid, {1, 1, 3}),
            "the output has shape [1, 1, 3], but the inputs give [1, 1, 2]");
  EXPECT_EQ(
      GetGridSampleRefusalOf(descriptor, TensorInfo({1, 3}, DataType::kFloat32), grid, {1, 2}),
      "input 0 has rank 2, but must have rank 3 to 5");
  EXPECT_EQ(GetGridSampleRefusalOf(descriptor, input, TensorInfo({1, 2, 2}, DataType::kFloat32),
                                   {1, 1, 2}),
            "input 1 (grid) has shape [1, 2, 2], but must have N 1, rank 3 and 1 coordinates");
  EXPECT_EQ(
      GetGridSampleRefusalOf(descriptor, input, TensorInfo({1, 2, 1}, DataType::kInt32), {1, 1, 2}),
      "data type int32 of input 1 (grid) is not supported, only float32, float16, bfloat16, "
      "float64");
  EXPECT_EQ(GetGridSampleRefusalOf(
                DescribeGridSample(Interpolation::kLinear, static_cast<GridPadding>(4), 2), input,
                grid, {1, 1, 2}),
            "padding 4 is not supported, only Zeros (1), Border (2) and Reflection (3); "
            "align_corners is 2, but must be 0 or 1");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
