#pragma once

#include <backplane/api/descriptors/grid_sample.hpp>

#include <array>
#include <cstdint>

namespace backplane {
namespace cpu_layers {

constexpr std::uint32_t kMostAxisTaps = 4;

/// The neighbours of a place along one axis: indices inside of the input, and their weights.
struct AxisTaps {
  std::uint32_t count = 0;
  std::array<std::int64_t, kMostAxisTaps> indices = {};
  std::array<double, kMostAxisTaps> weights = {};
};

/// One spatial axis of an input that is sampled at the places of a grid.
class SampledAxis {
 public:
  SampledAxis() = default;
  /// The extent is 1 or more.
  SampledAxis(const GridSampleDescriptor& descriptor, std::int64_t extent);

  std::int64_t GetExtent() const { return extent_; }

  /// `grid` is any number, or none.
  AxisTaps FindTaps(double grid) const;

 private:
  double GetPlace(double grid) const;
  double Pad(double place) const;
  double Reflect(double place) const;
  double BoundPlace(double place) const;
  void AddTap(double wanted, double weight, AxisTaps& taps) const;

  Interpolation interpolation_ = Interpolation::kLinear;
  GridPadding padding_ = GridPadding::kZeros;
  bool align_corners_ = false;
  double cubic_coefficient_ = 0;
  std::int64_t extent_ = 1;
  double last_ = 0;
};

}  // namespace cpu_layers
}  // namespace backplane
