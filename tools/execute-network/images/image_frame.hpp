#pragma once

#include <backplane/api/tensor_info.hpp>

#include "images/image.hpp"
#include "images/image_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// An input of a model that is to be filled with an image.
struct ImageInput {
  std::string name;
  DataType data_type = DataType::kUndefined;
  bool is_rank_known = true;
  std::vector<std::int64_t> dims;  // -1: left open
};

/// Where in the tensor of an input an image lies.
struct ImageFrame {
  TensorShape shape;  // of the tensor
  ImageLayout layout = ImageLayout::kNchw;
  std::uint32_t channels = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
};

/// Inputs may be [batch, channels, height, width], [channels, height, width] and [height, width],
/// and the first two with the channels at the end; the batch must be 1. Extents that are left open
/// are taken from the image.
/// Errors: DiagnosticException with kWrongInput for other inputs.
ImageFrame FindImageFrame(const Image& image, const ImageInput& input, const ImageOptions& options);

}  // namespace backplane::execute_network
