#include "images/resize_image.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace backplane::execute_network::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatEq;

Region Whole(const Raster& raster) {
  return {0, 0, static_cast<double>(raster.width), static_cast<double>(raster.height)};
}

std::uint32_t ChooseBelow(std::uint32_t bound, std::mt19937& engine) {
  return static_cast<std::uint32_t>(engine() % bound);
}

Raster MakeRandom(std::uint32_t width, std::uint32_t height, std::uint32_t channels,
                  std::mt19937& engine) {
  Raster raster{width, height, channels, {}};
  for (std::uint32_t i = 0; i < width * height * channels; ++i) {
    raster.values.push_back(static_cast<float>(engine() % 256));
  }
  return raster;
}

long double Weigh(long double distance, long double radius) {
  return std::max(0.0L, 1 - std::abs(distance) / radius);
}

// One element of a result, from all elements of the source at once.
long double Evaluate(const Raster& source, const Region& region, const Raster& result,
                     std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
  const long double step_x = region.width / result.width;
  const long double step_y = region.height / result.height;
  long double sum = 0;
  long double weights = 0;
  for (std::uint32_t v = 0; v < source.height; ++v) {
    for (std::uint32_t u = 0; u < source.width; ++u) {
      const long double weight =
          Weigh(u + 0.5L - (region.left + (x + 0.5L) * step_x), std::max(step_x, 1.0L)) *
          Weigh(v + 0.5L - (region.top + (y + 0.5L) * step_y), std::max(step_y, 1.0L));
      sum += weight * source.values[(v * source.width + u) * source.channels + channel];
      weights += weight;
    }
  }
  return sum / weights;
}

void ExpectRight(const Raster& source, const Region& region, const Raster& result) {
  ASSERT_EQ(result.values.size(), std::size_t{result.width} * result.height * result.channels);
  for (std::uint32_t i = 0; i < result.values.size(); ++i) {
    const std::uint32_t pixel = i / result.channels;
    const long double expected = Evaluate(source, region, result, pixel % result.width,
                                          pixel / result.width, i % result.channels);
    ASSERT_NEAR(result.values[i], static_cast<double>(expected), 1e-3) << i;
  }
}

TEST(ResizeImage, InterpolatesWhereItBecomesLarger) {
  const Raster raster{2, 1, 1, {0, 100}};
  EXPECT_THAT(Resize(raster, Whole(raster), 4, 1).values, ElementsAre(0, 25, 75, 100));
}

TEST(ResizeImage, CountsEveryPixelWhereItBecomesSmaller) {
  const Raster raster{4, 1, 1, {0, 0, 80, 0}};
  EXPECT_THAT(Resize(raster, Whole(raster), 1, 1).values, ElementsAre(FloatEq(80 * 0.875F / 3)));
}

TEST(ResizeImage, IsTheSameAtTheSameExtents) {
  std::mt19937 engine(1);
  const Raster raster = MakeRandom(7, 5, 3, engine);
  EXPECT_EQ(Resize(raster, Whole(raster), 7, 5).values, raster.values);
}

TEST(ResizeImage, KeepsOneColourAsItIs) {
  const Raster raster{5, 3, 1, std::vector<float>(15, 100)};
  for (const std::uint32_t side : {1U, 2U, 3U, 4U, 17U}) {
    EXPECT_THAT(Resize(raster, Whole(raster), side, side).values, Each(FloatEq(100)));
  }
}

TEST(ResizeImage, AgreesWithTheDefinition) {
  std::mt19937 engine(2);
  for (int round = 0; round < 100; ++round) {
    const Raster raster = MakeRandom(1 + ChooseBelow(20, engine), 1 + ChooseBelow(20, engine),
                                     1 + ChooseBelow(4, engine), engine);
    const std::uint32_t width = 1 + ChooseBelow(30, engine);
    const std::uint32_t height = 1 + ChooseBelow(30, engine);
    ExpectRight(raster, Whole(raster), Resize(raster, Whole(raster), width, height));
    const Region middle = FindMiddle(raster, width, height);
    ExpectRight(raster, middle, Resize(raster, middle, width, height));
  }
}

TEST(ResizeImage, FindsTheMiddle) {
  const Region wide = FindMiddle({6, 4, 1, {}}, 8, 8);
  EXPECT_THAT((std::vector<double>{wide.left, wide.top, wide.width, wide.height}),
              ElementsAre(1, 0, 4, 4));
  const Region high = FindMiddle({6, 10, 1, {}}, 2, 1);
  EXPECT_THAT((std::vector<double>{high.left, high.top, high.width, high.height}),
              ElementsAre(0, 3.5, 6, 3));
}

}  // namespace
}  // namespace backplane::execute_network::test
