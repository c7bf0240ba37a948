#include "cpu_layers/resize_axis.hpp"

#include "cpu_layers/cubic_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace backplane {
namespace cpu_layers {
namespace {

constexpr std::uint32_t kMostTaps = 4;

/// The neighbours of one place, some of which may lie outside of the input.
struct Taps {
  std::uint32_t count = 1;
  std::int64_t first = 0;
  std::array<double, kMostTaps> weights = {1, 0, 0, 0};
};

/// Maps an axis as the descriptor says.
class Coordinates {
 public:
  Coordinates(const ResizeDescriptor& descriptor, std::uint32_t axis, std::int64_t input)
      : mode_(descriptor.coordinates),
        input_(static_cast<double>(input)),
        output_(static_cast<double>(descriptor.extents[axis])),
        scale_(descriptor.scales[axis] == 0 ? output_ / input_ : descriptor.scales[axis]),
        aligned_length_(descriptor.scales[axis] > 0 && scale_ < 1 ? input_ * scale_ : output_),
        begin_(descriptor.roi_begin[axis]),
        end_(descriptor.roi_end[axis]) {}

  double Get(std::int64_t output_index) const {
    const auto x = static_cast<double>(output_index);
    switch (mode_) {
      case ResizeCoordinates::kPytorchHalfPixel:
        return output_ > 1 ? GetHalfPixel(x) : 0;
      case ResizeCoordinates::kAlignCorners:
        return aligned_length_ == 1 ? 0 : x * (input_ - 1) / (aligned_length_ - 1);
      case ResizeCoordinates::kAsymmetric:
        return x / scale_;
      case ResizeCoordinates::kTfHalfPixelForNn:
        return (x + 0.5) / scale_;
      case ResizeCoordinates::kTfCropAndResize:
        return GetInCrop(x);
      case ResizeCoordinates::kHalfPixelSymmetric:
        return GetHalfPixel(x) + (1 - output_ / (input_ * scale_)) * input_ / 2;
      default:
        return GetHalfPixel(x);
    }
  }

  bool IsOutside(double coordinate) const {
    return mode_ == ResizeCoordinates::kTfCropAndResize &&
           !(coordinate >= 0 && coordinate <= input_ - 1);
  }

 private:
  double GetHalfPixel(double x) const { return (x + 0.5) / scale_ - 0.5; }

  double GetInCrop(double x) const {
    if (output_ == 1) return (begin_ + end_) * (input_ - 1) / 2;
    return begin_ * (input_ - 1) + x * (end_ - begin_) * (input_ - 1) / (output_ - 1);
  }

  const ResizeCoordinates mode_;
  const double input_;
  const double output_;
  const double scale_;
  const double aligned_length_;  // of the output, for kAlignCorners
  const double begin_;
  const double end_;
};

double RoundToNeighbour(double coordinate, NearestRounding rounding) {
  const double below = std::floor(coordinate);
  const double ratio = coordinate - below;
  switch (rounding) {
    case NearestRounding::kRoundPreferCeil:
      return ratio < 0.5 ? below : below + 1;
    case NearestRounding::kFloor:
      return below;
    case NearestRounding::kCeil:
      return std::ceil(coordinate);
    default:
      return ratio <= 0.5 ? below : below + 1;
  }
}

Taps FindTaps(const ResizeDescriptor& descriptor, double coordinate) {
  Taps taps;
  if (descriptor.interpolation == Interpolation::kNearest) {
    taps.first = static_cast<std::int64_t>(RoundToNeighbour(coordinate, descriptor.rounding));
    return taps;
  }
  const double below = std::floor(coordinate);
  const double ratio = coordinate - below;
  taps.first = static_cast<std::int64_t>(below);
  if (descriptor.interpolation == Interpolation::kLinear) {
    taps.count = 2;
    taps.weights = {1 - ratio, ratio, 0, 0};
  } else {
    taps.count = 4;
    taps.first -= 1;
    taps.weights = GetCubicWeights(ratio, static_cast<double>(descriptor.cubic_coefficient));
  }
  return taps;
}

/// Lets only neighbours inside count. Where there are none, or their weights cancel out, all stay.
void ExcludeOutside(std::int64_t extent, Taps& taps) {
  std::array<double, kMostTaps> inside = {};
  double sum = 0;
  for (std::uint32_t tap = 0; tap < taps.count; ++tap) {
    const std::int64_t index = taps.first + tap;
    if (index < 0 || index >= extent) continue;
    inside[tap] = taps.weights[tap];
    sum += inside[tap];
  }
  if (sum == 0) return;
  for (std::uint32_t tap = 0; tap < taps.count; ++tap) taps.weights[tap] = inside[tap] / sum;
}

/// Far outside, all neighbours are the element at the end: nothing changes when the place is moved
/// to where it fits an integer. Also turns what is no number into a place.
double BoundCoordinate(double coordinate, std::int64_t extent) {
  const double greatest = static_cast<double>(extent) + kMostTaps;
  if (!(coordinate > -static_cast<double>(kMostTaps))) return -static_cast<double>(kMostTaps);
  return coordinate < greatest ? coordinate : greatest;
}

ResizeAxis MakeAxis(const ResizeDescriptor& descriptor, std::uint32_t axis,
                    const TensorShape& input) {
  ResizeAxis result;
  result.input = input[axis];
  result.output = descriptor.extents[axis];
  result.is_left_alone = IsLeftAlone(descriptor, input, axis);
  if (result.is_left_alone) return result;
  const Coordinates coordinates(descriptor, axis, result.input);
  for (std::int64_t i = 0; i < result.output; ++i) {
    const double coordinate = coordinates.Get(i);
    if (coordinates.IsOutside(coordinate)) result.outside.push_back(i);
    Taps taps = FindTaps(descriptor, BoundCoordinate(coordinate, result.input));
    if (descriptor.exclude_outside == 1) ExcludeOutside(result.input, taps);
    result.num_taps = taps.count;
    for (std::uint32_t tap = 0; tap < taps.count; ++tap) {
      const std::int64_t index = taps.first + tap;
      result.indices.push_back(std::min(std::max<std::int64_t>(index, 0), result.input - 1));
      result.weights.push_back(taps.weights[tap]);
    }
  }
  return result;
}

}  // namespace

bool IsLeftAlone(const ResizeDescriptor& descriptor, const TensorShape& input, std::uint32_t axis) {
  const double scale = descriptor.scales[axis];
  const bool is_crop = descriptor.coordinates == ResizeCoordinates::kTfCropAndResize;
  return descriptor.extents[axis] == input[axis] && (scale == 0 || scale == 1) &&
         (!is_crop || (descriptor.roi_begin[axis] == 0 && descriptor.roi_end[axis] == 1));
}

std::vector<ResizeAxis> MakeResizeAxes(const ResizeDescriptor& descriptor,
                                       const TensorShape& input) {
  std::vector<ResizeAxis> axes;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    axes.push_back(MakeAxis(descriptor, axis, input));
  }
  return axes;
}

}  // namespace cpu_layers
}  // namespace backplane
