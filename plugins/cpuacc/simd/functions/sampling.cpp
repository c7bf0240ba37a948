#include "simd/sampling_functions.hpp"

#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// What is not there is not multiplied either: it might be infinite.
void SamplePlane(const float* plane, const PlaneNeighbours& neighbours, float* y) {
  const std::int64_t count = neighbours.num_places;
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) y[i] = 0.0F;
  for (std::int64_t neighbour = 0; neighbour < neighbours.num_neighbours; ++neighbour) {
    const std::int32_t* const offsets = neighbours.offsets + neighbour * count;
    const float* const weights = neighbours.weights + neighbour * count;
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t offset = offsets[i];
      const float product = weights[i] * plane[offset < 0 ? 0 : offset];
      y[i] += offset < 0 ? 0.0F : product;
    }
  }
}

void FillSampling(SamplingFunctions& functions) {
  functions.sample_plane = &SamplePlane;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
