#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

using Floats = std::vector<float>;

RoiAlignDescriptor DescribeRoiAlign(PoolingMethod method, RoiCoordinates coordinates,
                                    std::uint32_t extent = 1, std::uint32_t sampling_ratio = 0) {
  RoiAlignDescriptor descriptor;
  descriptor.method = method;
  descriptor.coordinates = coordinates;
  descriptor.output_height = extent;
  descriptor.output_width = extent;
  descriptor.sampling_ratio = sampling_ratio;
  return descriptor;
}

/// One region of one image.
Floats Align(const RoiAlignDescriptor& descriptor, const FloatTensor& image, const Floats& corners,
             std::int64_t batch = 0) {
  const TensorShape output = {1, image.shape[1], descriptor.output_height, descriptor.output_width};
  const StoredTensor result =
      RunStored(LayerType::kRoiAlign, descriptor,
                {MakeStored(image.GetInfo(), image.data),
                 MakeStored(TensorInfo({1, 4}, DataType::kFloat32), corners),
                 MakeStored(DataType::kInt64, std::vector<std::int64_t>{batch})},
                TensorInfo(output, DataType::kFloat32));
  return GetStored<float>(result);
}

const FloatTensor& GetImage() {
  static const FloatTensor image({1, 1, 2, 2}, {1, 2, 3, 4});
  return image;
}

TEST(RoiAlign, AveragesOrTakesTheGreatestSample) {
  const Floats whole = {0, 0, 2, 2};
  EXPECT_EQ(Align(DescribeRoiAlign(PoolingMethod::kAverage, RoiCoordinates::kHalfPixel), GetImage(),
                  whole),
            (Floats{2.5F}));
  EXPECT_EQ(
      Align(DescribeRoiAlign(PoolingMethod::kMax, RoiCoordinates::kHalfPixel), GetImage(), whole),
      (Floats{4}));
  EXPECT_EQ(Align(DescribeRoiAlign(PoolingMethod::kAverage, RoiCoordinates::kHalfPixel, 2),
                  GetImage(), whole),
            (Floats{1, 2, 3, 4}));
}

TEST(RoiAlign, SeesZerosFarOutsideAndTheBorderNearby) {
  const auto descriptor =
      DescribeRoiAlign(PoolingMethod::kAverage, RoiCoordinates::kOutputHalfPixel, 1, 1);
  EXPECT_EQ(Align(descriptor, GetImage(), {-1.5F, -1.5F, -0.5F, -0.5F}), (Floats{1}));
  EXPECT_EQ(Align(descriptor, GetImage(), {-2, -2, -1, -1}), (Floats{0}));
  EXPECT_EQ(Align(descriptor, GetImage(), {5, 5, 6, 6}), (Floats{0}));
}

TEST(RoiAlign, MakesSmallRegionsOneWideUnlessOfHalfPixels) {
  const Floats point = {0.5F, 0.5F, 0.5F, 0.5F};
  EXPECT_EQ(Align(DescribeRoiAlign(PoolingMethod::kAverage, RoiCoordinates::kOutputHalfPixel),
                  GetImage(), point),
            (Floats{4}));
  // Nothing to sample.
  EXPECT_EQ(Align(DescribeRoiAlign(PoolingMethod::kAverage, RoiCoordinates::kHalfPixel), GetImage(),
                  point),
            (Floats{0}));
  EXPECT_EQ(Align(DescribeRoiAlign(PoolingMethod::kMax, RoiCoordinates::kHalfPixel), GetImage(),
                  {2, 2, 0, 0}),
            (Floats{0}));
}

TEST(RoiAlign, GivesZerosForBatchesAndCornersThatAreNothing) {
  const auto descriptor = DescribeRoiAlign(PoolingMethod::kMax, RoiCoordinates::kOutputHalfPixel);
  const Floats whole = {0, 0, 2, 2};
  for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{-1}, kLeast}) {
    EXPECT_EQ(Align(descriptor, GetImage(), whole, batch), (Floats{0})) << batch;
  }
  EXPECT_EQ(Align(descriptor, GetImage(), {0, 0, kInfinity, 2}), (Floats{0}));
  EXPECT_EQ(Align(descriptor, GetImage(), {0, std::nanf(""), 2, 2}), (Floats{0}));
}

TEST(RoiAlign, BoundsTheNumberOfSamples) {
  const auto descriptor = DescribeRoiAlign(PoolingMethod::kMax, RoiCoordinates::kOutputHalfPixel);
  EXPECT_EQ(Align(descriptor, GetImage(), {-1e30F, 0, 1e30F, 1}), (Floats{0}));
}

TEST(RoiAlign, LetsNaNThrough) {
  const FloatTensor image({1, 1, 1, 2}, {std::nanf(""), 1});
  for (const auto method : {PoolingMethod::kMax, PoolingMethod::kAverage}) {
    EXPECT_TRUE(std::isnan(
        Align(DescribeRoiAlign(method, RoiCoordinates::kHalfPixel), image, {0, 0, 2, 1})[0]));
  }
}

TEST(RoiAlign, TakesEmptyTensors) {
  EXPECT_TRUE(RunStored(LayerType::kRoiAlign,
                        DescribeRoiAlign(PoolingMethod::kMax, RoiCoordinates::kHalfPixel),
                        {MakeStored(GetImage().GetInfo(), GetImage().data),
                         MakeStored(TensorInfo({0, 4}, DataType::kFloat32), Floats()),
                         MakeStored(DataType::kInt64, std::vector<std::int64_t>())},
                        TensorInfo({0, 1, 1, 1}, DataType::kFloat32))
                  .bytes.empty());
}

TEST(RoiAlign, RefusesWhatItCannotAlign) {
  const auto get_refusal = [](const RoiAlignDescriptor& descriptor, const TensorShape& input,
                              const TensorShape& regions, const TensorShape& output) {
    return GetRefusal({LayerType::kRoiAlign,
                       descriptor,
                       {TensorInfo(input, DataType::kFloat32),
                        TensorInfo(regions, DataType::kFloat32), TensorInfo({2}, DataType::kInt64)},
                       TensorInfo(output, DataType::kFloat32)});
  };
  const auto descriptor = DescribeRoiAlign(PoolingMethod::kMax, RoiCoordinates::kHalfPixel);
  EXPECT_EQ(get_refusal(descriptor, {1, 1, 0, 2}, {2, 4}, {2, 1, 1, 1}),
            "input 0 has shape [1, 1, 0, 2], but must have rank 4 and a height and width of 1 or "
            "more");
  EXPECT_EQ(get_refusal(descriptor, {1, 1, 2, 2}, {2, 5}, {2, 1, 1, 1}),
            "input 1 (regions) has shape [2, 5], but must be [R, 4]");
  EXPECT_EQ(get_refusal(descriptor, {1, 1, 2, 2}, {3, 4}, {3, 1, 1, 1}),
            "input 2 (batch indices) has shape [2], but must be [3]");
  EXPECT_EQ(get_refusal(DescribeRoiAlign(static_cast<PoolingMethod>(3), RoiCoordinates::kHalfPixel),
                        {1, 1, 2, 2}, {2, 4}, {2, 1, 1, 1}),
            "pooling method 3 is not supported, only Max (1) and Average (2)");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
