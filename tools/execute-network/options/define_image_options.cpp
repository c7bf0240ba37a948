#include "options/define_image_options.hpp"

#include "command_line/values.hpp"

namespace backplane::execute_network {

using command_line::AddChoice;
using command_line::AddNumbers;
using command_line::NumberSign;

namespace {

constexpr std::size_t kMaxChannels = 4;

}  // namespace

void DefineImageOptions(CLI::App& app, ImageOptions& options) {
  AddNumbers(
      app, "--image-scale", options.scale, kMaxChannels, NumberSign::kAny,
      "Images: what pixels, from 0 to 255, are multiplied\nby; one number or one for each channel; "
      "default:\n1/255 for floats, 1 for integers");
  AddNumbers(app, "--image-mean", options.mean, kMaxChannels, NumberSign::kAny,
             "Images: what is taken off then; default: 0");
  AddNumbers(app, "--image-std", options.deviation, kMaxChannels, NumberSign::kPositive,
             "Images: what is divided by then; default: 1");
  AddChoice<ChannelOrder>(app, "--image-order", options.order,
                          {{"rgb", ChannelOrder::kRgb}, {"bgr", ChannelOrder::kBgr}},
                          "Images: the order of channels; default: rgb");
  AddChoice<std::optional<ImageLayout>>(
      app, "--image-layout", options.layout,
      {{"nchw", ImageLayout::kNchw}, {"nhwc", ImageLayout::kNhwc}},
      "Images: where channels stand; default: as the\nshape of the input says");
  AddChoice<ImageResize>(app, "--image-resize", options.resize,
                         {{"none", ImageResize::kNone},
                          {"stretch", ImageResize::kStretch},
                          {"crop", ImageResize::kCrop}},
                         "Images of other extents than the input: an error,\nor scaled, the "
                         "whole of them or the middle;\ndefault: none");
}

}  // namespace backplane::execute_network
