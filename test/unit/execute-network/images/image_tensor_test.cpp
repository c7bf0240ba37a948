#include "images/image_tensor.hpp"

#include "refusal.hpp"
#include "tensors/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::execute_network::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

using Values = std::vector<double>;

// Two pixels beside each other.
const Image kColour{2, 1, 3, 255, {255, 0, 51, 102, 153, 204}};
const Image kGrey{2, 1, 1, 255, {51, 102}};

onnx::NamedTensor Make(const Image& image, const std::vector<std::int64_t>& dims,
                       const ImageOptions& options = {}, DataType type = DataType::kFloat32) {
  return MakeImageTensor(image, "the/image", {"x", type, true, dims}, options);
}

void ExpectValues(const onnx::NamedTensor& tensor, const Values& expected) {
  EXPECT_THAT(ReadElements(tensor), Pointwise(testing::DoubleNear(1e-6), expected));
}

TEST(ImageTensor, HasChannelsInFrontOrBehind) {
  const auto front = Make(kColour, {1, 3, 1, 2});
  EXPECT_EQ(front.name, "x");
  EXPECT_EQ(front.info, TensorInfo({1, 3, 1, 2}, DataType::kFloat32));
  ExpectValues(front, {1, 0.4, 0, 0.6, 0.2, 0.8});
  ExpectValues(Make(kColour, {1, 1, 2, 3},
                    [] {
                      ImageOptions options;
                      options.layout = ImageLayout::kNhwc;
                      return options;
                    }()),
               {1, 0, 0.2, 0.4, 0.6, 0.8});
}

TEST(ImageTensor, MayHaveBlueFirst) {
  ImageOptions options;
  options.order = ChannelOrder::kBgr;
  ExpectValues(Make(kColour, {1, 3, 1, 2}, options), {0.2, 0.8, 0, 0.6, 1, 0.4});
}

TEST(ImageTensor, IsScaledThenTakenOffThenDivided) {
  ImageOptions options;
  options.scale = {0.1};
  options.mean = {1, 2, 3};
  options.deviation = {0.5, 1, 2};
  ExpectValues(Make(kColour, {1, 3, 1, 2}, options),
               {(25.5 - 1) / 0.5, (10.2 - 1) / 0.5, -2, 15.3 - 2, (5.1 - 3) / 2, (20.4 - 3) / 2});
}

TEST(ImageTensor, IsTheSameForEveryDepth) {
  ExpectValues(Make({2, 1, 1, 65535, {65535, 13107}}, {1, 2}), {1, 0.2});
  ExpectValues(Make({2, 1, 1, 15, {15, 3}}, {1, 2}), {1, 0.2});
}

TEST(ImageTensor, MakesGreyOfColourAndColourOfGrey) {
  ExpectValues(Make(kColour, {1, 2}),
               {(0.299 * 255 + 0.114 * 51) / 255, (0.299 * 102 + 0.587 * 153 + 0.114 * 204) / 255});
  ExpectValues(Make(kGrey, {3, 1, 2}), {0.2, 0.4, 0.2, 0.4, 0.2, 0.4});
  ExpectValues(Make({1, 1, 2, 255, {51, 102}}, {3, 1, 1}), {0.2, 0.2, 0.2});
}

TEST(ImageTensor, KeepsAlphaOnlyWhereThereAreFourChannels) {
  const Image image{1, 1, 4, 255, {51, 102, 153, 204}};
  ExpectValues(Make(image, {4, 1, 1}), {0.2, 0.4, 0.6, 0.8});
  ExpectValues(Make(image, {3, 1, 1}), {0.2, 0.4, 0.6});
  ExpectValues(Make(kGrey, {4, 1, 2}), {0.2, 0.4, 0.2, 0.4, 0.2, 0.4, 1, 1});
}

TEST(ImageTensor, OfIntegersHasThePixelsRoundedAndSaturated) {
  ExpectValues(Make(kGrey, {1, 2}, {}, DataType::kUInt8), {51, 102});
  ImageOptions options;
  options.scale = {2};
  options.mean = {0.5};
  ExpectValues(Make({3, 1, 1, 255, {0, 1, 200}}, {1, 3}, options, DataType::kInt8), {0, 2, 127});
}

TEST(ImageTensor, MayBeOfAnyFloat) {
  for (const DataType type : {DataType::kFloat64, DataType::kFloat16, DataType::kBFloat16}) {
    ImageOptions options;
    options.scale = {0.5};
    ExpectValues(Make({2, 1, 1, 255, {3, 128}}, {1, 2}, options, type), {1.5, 64});
  }
}

TEST(ImageTensor, IsResizedWhenAsked) {
  ExpectRefusal(
      [] {
        Make(kGrey, {1, 4});
      },
      DiagnosticCode::kWrongInput,
      {"the image for input x has other extents than the input",
       "the/image is 2x1 pixels, the input 4x1", "--image-resize stretch or --image-resize crop"});
  ImageOptions options;
  options.resize = ImageResize::kStretch;
  ExpectValues(Make(kGrey, {1, 4}, options), {0.2, 0.25, 0.35, 0.4});
  options.resize = ImageResize::kCrop;
  ExpectValues(Make({3, 1, 1, 255, {0, 51, 255}}, {1, 1}, options), {0.2});
}

TEST(ImageTensor, NamesTheOptionThatDoesNotFitItsChannels) {
  ImageOptions options;
  options.mean = {1, 2, 3};
  ExpectRefusal(
      [&] {
        Make(kGrey, {1, 2}, options);
      },
      DiagnosticCode::kWrongInput,
      {"--image-mean does not fit the channels of input x",
       "found 3 numbers; the input has 1 channel"});
  options.mean = {};
  options.deviation = {1, 2};
  ExpectRefusal(
      [&] {
        Make(kGrey, {3, 1, 2}, options);
      },
      DiagnosticCode::kWrongInput, {"--image-std", "found 2 numbers; the input has 3 channels"});
}

}  // namespace
}  // namespace backplane::execute_network::test
