#pragma once

#include <cstdint>
#include <vector>

namespace backplane::execute_network {

/// Pixels as numbers, laid out as in Image.
struct Raster {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 0;
  std::vector<float> values;
};

/// A part of a raster, in pixels that need not be whole.
struct Region {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

/// The largest region in the middle with the proportions of `width` to `height`.
Region FindMiddle(const Raster& raster, std::uint32_t width, std::uint32_t height);

/// A region, scaled with bilinear interpolation. Where it becomes smaller the filter widens by as
/// much, so that every pixel counts and fine patterns do not alias.
Raster Resize(const Raster& raster, const Region& region, std::uint32_t width,
              std::uint32_t height);

}  // namespace backplane::execute_network
