#pragma once

/// Sums of weighted elements that lie anywhere in a plane.

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// The neighbours of some places, all first ones, then all second ones, and so on.
struct PlaneNeighbours {
  const std::int32_t* offsets = nullptr;  // in the plane; -1: there is no such neighbour
  const float* weights = nullptr;
  std::int64_t num_places = 0;
  std::int64_t num_neighbours = 0;  // of each place
};

struct SamplingFunctions {
  /// For each place the sum of its neighbours. The plane has an element.
  void (*sample_plane)(const float* plane, const PlaneNeighbours& neighbours, float* y) = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
