#include "images/resize_image.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace backplane::execute_network {
namespace {

/// What one element of the result is made of: elements from `first` on, with their weights.
struct Taps {
  std::size_t first = 0;
  std::vector<float> weights;
};

Taps MakeTaps(double centre, double radius, std::uint32_t extent) {
  const double begin = std::max(0.0, std::floor(centre - radius));
  const double end = std::min(static_cast<double>(extent), std::ceil(centre + radius));
  Taps taps;
  taps.first = std::min(static_cast<std::size_t>(begin), std::size_t{extent} - 1);
  double sum = 0;
  for (double position = begin; position < end; ++position) {
    const double weight = std::max(0.0, 1 - std::abs(position + 0.5 - centre) / radius);
    taps.weights.push_back(static_cast<float>(weight));
    sum += weight;
  }
  if (sum <= 0) return {taps.first, {1}};
  for (float& weight : taps.weights) weight = static_cast<float>(weight / sum);
  return taps;
}

// For each of `count` elements that share the elements from `begin` on, `length` of them.
std::vector<Taps> MakeAllTaps(double begin, double length, std::uint32_t extent,
                              std::uint32_t count) {
  const double step = length / count;
  const double radius = std::max(step, 1.0);
  std::vector<Taps> taps;
  taps.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    taps.push_back(MakeTaps(begin + (i + 0.5) * step, radius, extent));
  }
  return taps;
}

Raster ResizeRows(const Raster& raster, const std::vector<Taps>& taps) {
  Raster result{static_cast<std::uint32_t>(taps.size()), raster.height, raster.channels, {}};
  const std::size_t channels = raster.channels;
  result.values.resize(taps.size() * raster.height * channels);
  for (std::size_t y = 0; y < raster.height; ++y) {
    const float* source = &raster.values[y * raster.width * channels];
    float* target = &result.values[y * taps.size() * channels];
    for (const Taps& element : taps) {
      for (std::size_t i = 0; i < element.weights.size(); ++i) {
        for (std::size_t c = 0; c < channels; ++c) {
          target[c] += element.weights[i] * source[(element.first + i) * channels + c];
        }
      }
      target += channels;
    }
  }
  return result;
}

Raster ResizeColumns(const Raster& raster, const std::vector<Taps>& taps) {
  Raster result{raster.width, static_cast<std::uint32_t>(taps.size()), raster.channels, {}};
  const std::size_t row_size = std::size_t{raster.width} * raster.channels;
  result.values.resize(taps.size() * row_size);
  float* target = result.values.data();
  for (const Taps& row : taps) {
    for (std::size_t i = 0; i < row.weights.size(); ++i) {
      const float* source = &raster.values[(row.first + i) * row_size];
      for (std::size_t x = 0; x < row_size; ++x) target[x] += row.weights[i] * source[x];
    }
    target += row_size;
  }
  return result;
}

}  // namespace

Region FindMiddle(const Raster& raster, std::uint32_t width, std::uint32_t height) {
  const double factor = std::min(static_cast<double>(raster.width) / width,
                                 static_cast<double>(raster.height) / height);
  Region region;
  region.width = width * factor;
  region.height = height * factor;
  region.left = (raster.width - region.width) / 2;
  region.top = (raster.height - region.height) / 2;
  return region;
}

Raster Resize(const Raster& raster, const Region& region, std::uint32_t width,
              std::uint32_t height) {
  const Raster narrow =
      ResizeRows(raster, MakeAllTaps(region.left, region.width, raster.width, width));
  return ResizeColumns(narrow, MakeAllTaps(region.top, region.height, raster.height, height));
}

}  // namespace backplane::execute_network
