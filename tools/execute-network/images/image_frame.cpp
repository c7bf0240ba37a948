#include "images/image_frame.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>

namespace backplane::execute_network {
namespace {

[[noreturn]] void Refuse(const ImageInput& input, const std::string& why, const std::string& fix) {
  throw DiagnosticException({DiagnosticCode::kWrongInput,
                             Severity::kError,
                             {SubjectKind::kTensor, input.name},
                             "an image cannot be the data for input " + input.name,
                             why,
                             fix,
                             {}});
}

std::string Describe(const ImageInput& input) {
  std::string text;
  for (const std::int64_t dim : input.dims) {
    text += (text.empty() ? "" : "x") + (dim < 0 ? "?" : std::to_string(dim));
  }
  return text.empty() ? "scalar" : text;
}

bool MayBeChannels(std::int64_t extent) {
  return extent == 1 || extent == 3 || extent == 4;
}

// A known extent tells more than one that is left open.
ImageLayout ChooseLayout(const ImageInput& input, const std::vector<std::int64_t>& dims) {
  if (MayBeChannels(dims.front())) return ImageLayout::kNchw;
  if (MayBeChannels(dims.back())) return ImageLayout::kNhwc;
  if (dims.front() < 0) return ImageLayout::kNchw;
  if (dims.back() < 0) return ImageLayout::kNhwc;
  Refuse(input,
         "it is " + Describe(input) +
             "; channels are 1, 3 or 4, and expected are they as "
             "axis 1 (NCHW) or as the last (NHWC)",
         "give the data as .npy or .pb");
}

std::int64_t ChooseExtent(std::int64_t wanted, std::uint32_t of_image) {
  return wanted < 0 ? of_image : wanted;
}

void CheckIsImageLike(const ImageInput& input) {
  const std::string fix = "give the data as .npy or .pb";
  if (input.data_type == DataType::kUndefined || input.data_type == DataType::kBool) {
    Refuse(input,
           std::string("it has elements ") + GetDataTypeName(input.data_type) +
               ", expected are numbers",
           fix);
  }
  if (!input.is_rank_known) {
    Refuse(input, "the model does not say how many dimensions it has",
           "give the shape with --shape " + input.name + "=1x3x224x224");
  }
  if (input.dims.size() < 2 || input.dims.size() > 4) {
    Refuse(input, "it is " + Describe(input) + "; expected are 2, 3 or 4 dimensions", fix);
  }
  if (input.dims.size() == 4 && input.dims.front() != 1 && input.dims.front() >= 0) {
    Refuse(input,
           "its batch is " + std::to_string(input.dims.front()) + "; an image fills a batch of 1",
           "give the whole batch as .npy or .pb");
  }
}

// The three extents of the frame; grey for inputs without channels.
void SetExtents(const Image& image, std::vector<std::int64_t> dims, const ImageInput& input,
                ImageFrame& frame) {
  const bool is_behind = frame.layout == ImageLayout::kNhwc;
  if (dims.size() == 2) dims.insert(is_behind ? dims.end() : dims.begin(), 1);
  const std::int64_t of_image = image.channels < 3 ? 1 : 3;
  std::int64_t channels = is_behind ? dims[2] : dims[0];
  if (channels < 0) channels = of_image;
  const std::int64_t height = ChooseExtent(dims[is_behind ? 0 : 1], image.height);
  const std::int64_t width = ChooseExtent(dims[is_behind ? 1 : 2], image.width);
  if (!MayBeChannels(channels)) {
    Refuse(input, "it has " + std::to_string(channels) + " channels; expected are 1, 3 or 4",
           "give --image-layout, or the data as .npy or .pb");
  }
  const bool is_possible = height > 0 && width > 0 && height <= kMaxImageExtent &&
                           width <= kMaxImageExtent &&
                           static_cast<std::uint64_t>(height * width) <= kMaxImagePixels;
  if (!is_possible) {
    Refuse(input,
           "it is " + std::to_string(width) + "x" + std::to_string(height) +
               " pixels, more than an image may have, or none",
           "give the data as .npy or .pb");
  }
  frame.channels = static_cast<std::uint32_t>(channels);
  frame.height = static_cast<std::uint32_t>(height);
  frame.width = static_cast<std::uint32_t>(width);
}

}  // namespace

ImageFrame FindImageFrame(const Image& image, const ImageInput& input,
                          const ImageOptions& options) {
  CheckIsImageLike(input);
  const bool has_batch = input.dims.size() == 4;
  const std::vector<std::int64_t> dims(input.dims.begin() + (has_batch ? 1 : 0), input.dims.end());
  ImageFrame frame;
  if (dims.size() == 3) {
    frame.layout = options.layout ? *options.layout : ChooseLayout(input, dims);
  }
  SetExtents(image, dims, input, frame);
  if (has_batch) frame.shape.Append(1);
  if (dims.size() == 3 && frame.layout == ImageLayout::kNchw) frame.shape.Append(frame.channels);
  frame.shape.Append(frame.height);
  frame.shape.Append(frame.width);
  if (dims.size() == 3 && frame.layout == ImageLayout::kNhwc) frame.shape.Append(frame.channels);
  return frame;
}

}  // namespace backplane::execute_network
