#include "simd/narrow_functions.hpp"

#include "simd/functions/functions.hpp"
#include "simd/functions/vectors.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

constexpr int kMostFilters = kLanes == 16 ? 6 : 4;
constexpr int kVectors = 2;
static_assert(kNarrowStep % (kVectors * kLanes) == 0, "blocks must not be wider");

CPUACC_INLINE Vector LoadUnaligned(const float* from) {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof(vector));
  return vector;
}

/// As many places as fill some vectors, of some filters.
template <int kFilters>
void ConvolveBlock(const NarrowRow& row, std::int64_t filter, std::int64_t place) {
  Vector sums[kFilters][kVectors] = {};
  const float* weights = row.weights + filter;
  for (std::int64_t tap = 0; tap < row.num_taps; ++tap) {
    const float* from = row.taps[tap] + place;
    Vector values[kVectors];
    for (int v = 0; v < kVectors; ++v) values[v] = LoadUnaligned(from + v * kLanes);
    for (int f = 0; f < kFilters; ++f) {
      for (int v = 0; v < kVectors; ++v) sums[f][v] += weights[f] * values[v];
    }
    weights += row.num_filters;
  }
  // Unrolled, so that the sums stay in registers.
#pragma GCC unroll 8
  for (int f = 0; f < kFilters; ++f) {
    const float bias = row.bias == nullptr ? 0.0F : row.bias[filter + f];
    float* to = row.output + (filter + f) * row.output_step + place;
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t left = row.width - place - v * kLanes;
      if (left > 0) StoreFirst(sums[f][v] + bias, left, to + v * kLanes);
    }
  }
}

template <int kFilters = kMostFilters>
void ConvolveFilters(const NarrowRow& row, std::int64_t filter, std::int64_t count) {
  if (count == kFilters) {
    for (std::int64_t place = 0; place < row.width; place += kVectors * kLanes) {
      ConvolveBlock<kFilters>(row, filter, place);
    }
  } else if constexpr (kFilters > 1) {
    ConvolveFilters<kFilters - 1>(row, filter, count);
  }
}

void Convolve(const NarrowRow& row) {
  for (std::int64_t filter = 0; filter < row.num_filters; filter += kMostFilters) {
    const std::int64_t left = row.num_filters - filter;
    ConvolveFilters(row, filter, left < kMostFilters ? left : kMostFilters);
  }
}

void Take(const float* from, std::int64_t stride, std::int64_t count, float* to) {
  if (stride == 2) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[2 * i];
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[stride * i];
  }
}

}  // namespace

void FillNarrow(NarrowFunctions& functions) {
  functions.convolve = &Convolve;
  functions.take = &Take;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
