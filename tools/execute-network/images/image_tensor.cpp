#include "images/image_tensor.hpp"

#include <backplane/host/diagnostic.hpp>

#include "images/resize_image.hpp"
#include "tensors/elements.hpp"

#include <utility>

namespace backplane::execute_network {
namespace {

constexpr float kFull = 255;

[[noreturn]] void Refuse(const std::string& name, const std::string& what, const std::string& why,
                         const std::string& fix) {
  throw DiagnosticException({DiagnosticCode::kWrongInput,
                             Severity::kError,
                             {SubjectKind::kTensor, name},
                             what,
                             why,
                             fix,
                             {}});
}

/// The channels of one pixel, from 0 to 255.
struct Pixel {
  float red;
  float green;
  float blue;
  float alpha;
};

Pixel ReadPixel(const Image& image, std::size_t index) {
  const std::uint16_t* samples = &image.samples[index * image.channels];
  const float unit = kFull / static_cast<float>(image.max_sample);
  const auto get = [&](std::uint32_t channel) {
    return static_cast<float>(samples[channel]) * unit;
  };
  if (image.channels < 3) return {get(0), get(0), get(0), image.channels == 2 ? get(1) : kFull};
  return {get(0), get(1), get(2), image.channels == 4 ? get(3) : kFull};
}

void AppendPixel(const Pixel& pixel, std::uint32_t channels, ChannelOrder order,
                 std::vector<float>& values) {
  if (channels == 1) {
    const bool is_grey = pixel.red == pixel.green && pixel.green == pixel.blue;
    values.push_back(is_grey ? pixel.red
                             : 0.299F * pixel.red + 0.587F * pixel.green + 0.114F * pixel.blue);
    return;
  }
  const bool is_rgb = order == ChannelOrder::kRgb;
  values.push_back(is_rgb ? pixel.red : pixel.blue);
  values.push_back(pixel.green);
  values.push_back(is_rgb ? pixel.blue : pixel.red);
  if (channels == 4) values.push_back(pixel.alpha);
}

Raster MakeRaster(const Image& image, std::uint32_t channels, ChannelOrder order) {
  Raster raster{image.width, image.height, channels, {}};
  const std::size_t num_pixels = std::size_t{image.width} * image.height;
  raster.values.reserve(num_pixels * channels);
  for (std::size_t i = 0; i < num_pixels; ++i) {
    AppendPixel(ReadPixel(image, i), channels, order, raster.values);
  }
  return raster;
}

Raster Fit(Raster raster, const ImageFrame& frame, const std::string& path, const ImageInput& input,
           ImageResize resize) {
  if (raster.width == frame.width && raster.height == frame.height) return raster;
  if (resize == ImageResize::kNone) {
    Refuse(input.name, "the image for input " + input.name + " has other extents than the input",
           path + " is " + std::to_string(raster.width) + "x" + std::to_string(raster.height) +
               " pixels, the input " + std::to_string(frame.width) + "x" +
               std::to_string(frame.height),
           "give --image-resize stretch or --image-resize crop, or another image");
  }
  Region region{0, 0, static_cast<double>(raster.width), static_cast<double>(raster.height)};
  if (resize == ImageResize::kCrop) region = FindMiddle(raster, frame.width, frame.height);
  return Resize(raster, region, frame.width, frame.height);
}

// One number for each channel.
std::vector<double> SpreadOverChannels(const std::vector<double>& numbers, double otherwise,
                                       const std::string& option, const ImageFrame& frame,
                                       const ImageInput& input) {
  if (numbers.size() == frame.channels) return numbers;
  if (numbers.size() <= 1) {
    return std::vector<double>(frame.channels, numbers.empty() ? otherwise : numbers.front());
  }
  Refuse(input.name, option + " does not fit the channels of input " + input.name,
         "found " + std::to_string(numbers.size()) + " numbers; the input has " +
             std::to_string(frame.channels) + (frame.channels == 1 ? " channel" : " channels"),
         "give one number, or one for each channel");
}

bool IsFloat(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat64 || type == DataType::kFloat16 ||
         type == DataType::kBFloat16;
}

// Where a value of the raster goes in the tensor.
std::size_t FindTarget(const ImageFrame& frame, std::size_t pixel, std::size_t channel) {
  if (frame.layout == ImageLayout::kNhwc) return pixel * frame.channels + channel;
  return channel * frame.width * frame.height + pixel;
}

}  // namespace

bool IsAnyGiven(const ImageOptions& options) {
  return !options.scale.empty() || !options.mean.empty() || !options.deviation.empty() ||
         options.order != ChannelOrder::kRgb || options.layout ||
         options.resize != ImageResize::kNone;
}

onnx::NamedTensor MakeImageTensor(const Image& image, const std::string& path,
                                  const ImageInput& input, const ImageOptions& options) {
  const ImageFrame frame = FindImageFrame(image, input, options);
  const double usual_scale = IsFloat(input.data_type) ? 1.0 / kFull : 1.0;
  const auto scales = SpreadOverChannels(options.scale, usual_scale, "--image-scale", frame, input);
  const auto means = SpreadOverChannels(options.mean, 0, "--image-mean", frame, input);
  const auto deviations = SpreadOverChannels(options.deviation, 1, "--image-std", frame, input);
  const Raster raster =
      Fit(MakeRaster(image, frame.channels, options.order), frame, path, input, options.resize);
  onnx::NamedTensor tensor{input.name, {frame.shape, input.data_type}, {}};
  tensor.data.resize(tensor.info.GetSizeBytes());
  for (std::size_t i = 0; i < raster.values.size(); ++i) {
    const std::size_t channel = i % frame.channels;
    const double value =
        (raster.values[i] * scales[channel] - means[channel]) / deviations[channel];
    WriteElement(value, FindTarget(frame, i / frame.channels, channel), tensor);
  }
  return tensor;
}

}  // namespace backplane::execute_network
