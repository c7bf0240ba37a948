#include "cpu_layers/sampled_axis.hpp"

#include "cpu_layers/cubic_weights.hpp"

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpu_layers {

SampledAxis::SampledAxis(const GridSampleDescriptor& descriptor, std::int64_t extent)
    : interpolation_(descriptor.interpolation),
      padding_(descriptor.padding),
      align_corners_(descriptor.align_corners == 1),
      cubic_coefficient_(static_cast<double>(descriptor.cubic_coefficient)),
      extent_(extent),
      last_(static_cast<double>(extent - 1)) {}

AxisTaps SampledAxis::FindTaps(double grid) const {
  const double place = BoundPlace(Pad(GetPlace(grid)));
  AxisTaps taps;
  if (interpolation_ == Interpolation::kNearest) {
    AddTap(std::nearbyint(place), 1, taps);
    return taps;
  }
  const double below = std::floor(place);
  const double ratio = place - below;
  if (interpolation_ == Interpolation::kLinear) {
    AddTap(below, 1 - ratio, taps);
    AddTap(below + 1, ratio, taps);
    return taps;
  }
  double index = below - 1;
  for (const double weight : GetCubicWeights(ratio, cubic_coefficient_)) {
    AddTap(index++, weight, taps);
  }
  return taps;
}

double SampledAxis::GetPlace(double grid) const {
  if (std::isnan(grid)) grid = -1;
  // Infinity times the 0 of a single element would be no place.
  if (align_corners_) return last_ == 0 ? 0 : (grid + 1) / 2 * last_;
  return ((grid + 1) * static_cast<double>(extent_) - 1) / 2;
}

// Moves a place outside to one inside, unless zeros lie there, or a cubic takes its neighbours from
// the border.
double SampledAxis::Pad(double place) const {
  if (padding_ == GridPadding::kBorder && interpolation_ != Interpolation::kCubic) {
    return std::min(std::max(place, 0.0), last_);
  }
  return padding_ == GridPadding::kReflection ? Reflect(place) : place;
}

// At the middle of the elements at the ends, or at their outer edges.
double SampledAxis::Reflect(double place) const {
  const double least = align_corners_ ? 0 : -0.5;
  const double span = align_corners_ ? last_ : static_cast<double>(extent_);
  if (!std::isfinite(place) || span == 0) return 0;
  const double from_least = std::fmod(std::fabs(place - least), 2 * span);
  return least + (from_least > span ? 2 * span - from_least : from_least);
}

// Farther outside there is nothing else; what is left fits an integer.
double SampledAxis::BoundPlace(double place) const {
  const double margin = kMostAxisTaps;
  return std::min(std::max(place, -margin), last_ + margin);
}

void SampledAxis::AddTap(double wanted, double weight, AxisTaps& taps) const {
  double index = wanted;
  if (index < 0 || index > last_) {
    if (padding_ == GridPadding::kZeros) return;
    // A neighbour that lies outside itself, of a place inside.
    index = padding_ == GridPadding::kReflection ? std::round(Reflect(index)) : index;
    index = std::min(std::max(index, 0.0), last_);
  }
  taps.indices[taps.count] = static_cast<std::int64_t>(index);
  taps.weights[taps.count++] = weight;
}

}  // namespace cpu_layers
}  // namespace backplane
