#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include "images/image.hpp"
#include "images/image_frame.hpp"
#include "images/image_options.hpp"

namespace backplane::execute_network {

/// The data for an input that an image, read from `path`, stands for. Colour becomes grey for
/// inputs of one channel (0.299 red + 0.587 green + 0.114 blue), grey becomes colour for others; a
/// channel alpha is kept only by inputs of four channels, and is full when the image has none.
/// Errors: DiagnosticException with kWrongInput: as FindImageFrame, an image of other extents that
/// may not be resized, and means or deviations for another number of channels.
onnx::NamedTensor MakeImageTensor(const Image& image, const std::string& path,
                                  const ImageInput& input, const ImageOptions& options);

}  // namespace backplane::execute_network
