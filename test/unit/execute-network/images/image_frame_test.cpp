#include "images/image_frame.hpp"

#include "refusal.hpp"

#include <gtest/gtest.h>

namespace backplane::execute_network::test {
namespace {

using Dims = std::vector<std::int64_t>;

ImageFrame Find(const Dims& dims, const ImageOptions& options = {}, std::uint32_t channels = 3) {
  return FindImageFrame({20, 10, channels, 255, {}}, {"x", DataType::kFloat32, true, dims},
                        options);
}

ImageOptions WithLayout(ImageLayout layout) {
  ImageOptions options;
  options.layout = layout;
  return options;
}

struct Expected {
  TensorShape shape;
  ImageLayout layout;
};

void ExpectFrame(const ImageFrame& frame, const Expected& expected) {
  EXPECT_EQ(frame.shape, expected.shape);
  EXPECT_EQ(frame.layout, expected.layout);
  EXPECT_EQ(static_cast<std::int64_t>(frame.channels) * frame.height * frame.width,
            frame.shape.GetNumElements());
}

TEST(ImageFrame, HasItsLayoutFromTheShape) {
  ExpectFrame(Find({1, 3, 8, 9}), {{1, 3, 8, 9}, ImageLayout::kNchw});
  ExpectFrame(Find({1, 8, 9, 3}), {{1, 8, 9, 3}, ImageLayout::kNhwc});
  ExpectFrame(Find({1, 1, 9, 3}), {{1, 1, 9, 3}, ImageLayout::kNchw});
  ExpectFrame(Find({4, 8, 9}), {{4, 8, 9}, ImageLayout::kNchw});
  ExpectFrame(Find({8, 9, 4}), {{8, 9, 4}, ImageLayout::kNhwc});
  ExpectFrame(Find({8, 9}), {{8, 9}, ImageLayout::kNchw});
}

TEST(ImageFrame, HasItsLayoutFromTheOption) {
  ExpectFrame(Find({1, 3, 8, 3}, WithLayout(ImageLayout::kNhwc)),
              {{1, 3, 8, 3}, ImageLayout::kNhwc});
  EXPECT_EQ(Find({1, 3, 8, 3}, WithLayout(ImageLayout::kNhwc)).height, 3U);
  EXPECT_EQ(Find({1, 3, 8, 3}, WithLayout(ImageLayout::kNchw)).height, 8U);
}

TEST(ImageFrame, TakesOpenExtentsFromTheImage) {
  ExpectFrame(Find({-1, 3, -1, -1}), {{1, 3, 10, 20}, ImageLayout::kNchw});
  ExpectFrame(Find({-1, -1, -1, 3}), {{1, 10, 20, 3}, ImageLayout::kNhwc});
  ExpectFrame(Find({-1, -1, -1, -1}), {{1, 3, 10, 20}, ImageLayout::kNchw});
  ExpectFrame(Find({-1, -1, -1, -1}, {}, 2), {{1, 1, 10, 20}, ImageLayout::kNchw});
  ExpectFrame(Find({1, 1, -1, 7}), {{1, 1, 10, 7}, ImageLayout::kNchw});
}

void ExpectRefused(const ImageInput& input, const std::vector<std::string>& words) {
  ExpectRefusal(
      [&] {
        FindImageFrame({20, 10, 3, 255, {}}, input, {});
      },
      DiagnosticCode::kWrongInput, {"an image cannot be the data for input x"});
  ExpectRefusal(
      [&] {
        FindImageFrame({20, 10, 3, 255, {}}, input, {});
      },
      DiagnosticCode::kWrongInput, words);
}

TEST(ImageFrame, RefusesInputsThatAreNoImage) {
  const DataType type = DataType::kFloat32;
  ExpectRefused({"x", type, true, {1, 7, 8, 9}}, {"it is 1x7x8x9; channels are 1, 3 or 4"});
  ExpectRefused({"x", type, true, {2, 3, 8, 9}}, {"its batch is 2"});
  ExpectRefused({"x", type, true, {3}}, {"it is 3; expected are 2, 3 or 4 dimensions"});
  ExpectRefused({"x", type, true, {1, 1, 3, 8, 9}}, {"expected are 2, 3 or 4 dimensions"});
  ExpectRefused({"x", type, false, {}}, {"--shape x=1x3x224x224"});
  ExpectRefused({"x", DataType::kBool, true, {8, 9}}, {"it has elements bool"});
  ExpectRefused({"x", type, true, {1, 3, 1, 4000000000000}}, {"more than an image may have"});
  ExpectRefused({"x", type, true, {1, 3, 0, 4}}, {"or none"});
}

TEST(ImageFrame, RefusesALayoutThatHasNoChannels) {
  ExpectRefusal(
      [] {
        Find({1, 3, 8, 9}, WithLayout(ImageLayout::kNhwc));
      },
      DiagnosticCode::kWrongInput, {"it has 9 channels", "--image-layout"});
}

}  // namespace
}  // namespace backplane::execute_network::test
