#pragma once

#include <optional>
#include <vector>

namespace backplane::execute_network {

enum class ChannelOrder { kRgb, kBgr };

/// Whether the channels stand in front of the rows and columns of a tensor, or behind them.
enum class ImageLayout { kNchw, kNhwc };

/// What happens to an image that does not have the extents of its input.
enum class ImageResize {
  kNone,     // it is an error
  kStretch,  // all of it, in each direction by its own factor
  kCrop,     // the largest part in the middle that has the input's proportions
};

/// How images become data. An element is (pixel * scale - mean) / deviation, for pixels from 0 to
/// 255 whatever the depth of the image.
struct ImageOptions {
  // For each channel of the input, in its order, or one for all, or none.
  std::vector<double> scale;      // none: 1/255 for floats, so that they are 0 to 1; else 1
  std::vector<double> mean;       // none: 0
  std::vector<double> deviation;  // none: 1
  ChannelOrder order = ChannelOrder::kRgb;
  std::optional<ImageLayout> layout;  // none: as the shape of the input says
  ImageResize resize = ImageResize::kNone;
};

/// Whether any of them asks for something.
bool IsAnyGiven(const ImageOptions& options);

}  // namespace backplane::execute_network
