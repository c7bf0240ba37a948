#include "simd/functions/byte_vectors.hpp"
#include "simd/functions/functions.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

constexpr int kMostPlaces = kSumBytes == 64 ? 12 : (kSumBytes == 32 ? 6 : 3);
constexpr int kMostPlacesOfChannels = kSumBytes == 16 ? 2 : 4;

/// Adds the bias to the sums of one panel.
CPUACC_INLINE void StoreSums(const Sums* sums, const ByteResult& result, std::int64_t filter,
                             std::int32_t* to) {
  const std::int64_t left = result.num_filters - filter;
  for (int v = 0; v < kSumVectors && left > v * kLanes; ++v) {
    const Sums sum = AddSums(sums[v], LoadSums(result.bias + filter + v * kLanes));
    StoreFirst(reinterpret_cast<Vector>(sum), left - v * kLanes,
               reinterpret_cast<float*>(to + filter + v * kLanes));
  }
}

/// Adds the bias, and scales the sums of one panel.
CPUACC_INLINE void StoreReals(const Sums* sums, const ByteResult& result, std::int64_t filter,
                              float* to) {
  const std::int64_t left = result.num_filters - filter;
#pragma GCC unroll 4
  for (int v = 0; v < kSumVectors; ++v) {
    const std::int64_t first = filter + v * kLanes;
    const Sums sum = AddSums(sums[v], LoadSums(result.bias + first));
    const Scaled scaled =
        __builtin_convertvector(sum, Scaled) * LoadScaled(result.multipliers + first);
    if (left <= v * kLanes) return;
    StoreFirst(reinterpret_cast<Vector>(scaled), left - v * kLanes, to + first);
  }
}

/// Adds the bias, and makes bytes of the sums of one panel of one place.
CPUACC_INLINE void StoreBytes(const Sums* sums, const ByteResult& result, std::int64_t filter,
                              unsigned char* to) {
  Sums whole[kSumVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kSumVectors; ++v) {
    const std::int64_t first = filter + v * kLanes;
    const Sums sum = AddSums(sums[v], LoadSums(result.bias + first));
    const Scaled scaled =
        Clamp(__builtin_convertvector(sum, Scaled) * LoadScaled(result.multipliers + first),
              result.least, result.most);
    whole[v] = __builtin_convertvector((scaled + kRounder) - kRounder, Sums) + result.zero_point;
  }
  const std::int64_t left = result.num_filters - filter;
  if (left >= kByteFilters) return StoreLowBytes(whole, to + filter);
  unsigned char bytes[kByteFilters];
  StoreLowBytes(whole, bytes);
  CopyFirst<kByteFilters>(bytes, left, to + filter);
}

/// `first` is the element of the result at which the place begins.
CPUACC_INLINE void StorePanel(const Sums* sums, const ByteResult& result, std::int64_t filter,
                              std::int64_t first) {
  if (result.sums != nullptr) {
    StoreSums(sums, result, filter, result.sums + first);
  } else if (result.reals != nullptr) {
    StoreReals(sums, result, filter, result.reals + first);
  } else {
    StoreBytes(sums, result, filter, result.bytes + first);
  }
}

/// Where some places, one after the other, begin.
struct Block {
  const std::int16_t* elements[kMostPlaces];
  std::int64_t result;
  std::int64_t filter;
};

/// Calls function(block, count) for all places, so many at a time.
template <typename Function>
CPUACC_INLINE void ForEachBlock(const BytePlaces& places, const ByteResult& result,
                                std::int64_t filter, int most, Function function) {
  Block block;
  block.result = 0;
  block.filter = filter;
  int count = 0;
  for (std::int64_t line = 0; line < places.num_lines; ++line) {
    const std::int16_t* elements = places.elements + line * places.line_step;
    for (std::int64_t place = 0; place < places.num_places; ++place) {
      block.elements[count++] = elements;
      elements += places.place_step;
      if (count < most) continue;
      function(block, count);
      block.result += count * result.place_step;
      count = 0;
    }
  }
  if (count > 0) function(block, count);
}

template <int kPlaces>
void MultiplyBlock(const ByteProduct& product, const Block& block) {
  Sums sums[kPlaces][kSumVectors] = {};
  const std::int16_t* weights =
      product.weights + block.filter * 2 * product.num_runs * product.num_pairs;
  for (std::int64_t run = 0; run < product.num_runs; ++run) {
    const std::int64_t first = product.runs[run];
    for (std::int64_t pair = 0; pair < product.num_pairs; ++pair) {
      Pairs columns[kSumVectors];
      for (int v = 0; v < kSumVectors; ++v) columns[v] = LoadPairs(weights + v * 2 * kLanes);
      for (int place = 0; place < kPlaces; ++place) {
        const Pairs factor = RepeatPair(block.elements[place] + first + 2 * pair);
        for (int v = 0; v < kSumVectors; ++v) {
          sums[place][v] = AddSums(sums[place][v], MultiplyPairs(factor, columns[v]));
        }
      }
      weights += 2 * kByteFilters;
    }
  }
  // Unrolled, so that the sums stay in registers.
#pragma GCC unroll 16
  for (int place = 0; place < kPlaces; ++place) {
    StorePanel(sums[place], product.result, block.filter,
               block.result + place * product.result.place_step);
  }
}

template <int kPlaces = kMostPlaces>
void MultiplyPlaces(const ByteProduct& product, const Block& block, int count) {
  if (count == kPlaces) return MultiplyBlock<kPlaces>(product, block);
  if constexpr (kPlaces > 1) MultiplyPlaces<kPlaces - 1>(product, block, count);
}

void Multiply(const ByteProduct& product) {
  for (std::int64_t filter = 0; filter < product.result.num_filters; filter += kByteFilters) {
    ForEachBlock(product.places, product.result, filter, kMostPlaces,
                 [&](const Block& block, int count) { MultiplyPlaces(product, block, count); });
  }
}

template <int kPlaces>
void MultiplyChannelsOfBlock(const ByteChannels& channels, const Block& block) {
  Sums sums[kPlaces][kSumVectors] = {};
  for (std::int64_t tap = 0; tap < channels.num_taps; ++tap) {
    const std::int16_t* weights = channels.weights + tap * channels.weight_step + block.filter;
    const std::int64_t first = channels.taps[tap] + block.filter;
    for (int v = 0; v < kSumVectors; ++v) {
      const Sums weight = LoadWidened(weights + v * kLanes);
      for (int place = 0; place < kPlaces; ++place) {
        const auto* elements = block.elements[place] + first + v * kLanes;
        sums[place][v] = AddSums(sums[place][v], weight * LoadWidened(elements));
      }
    }
  }
#pragma GCC unroll 16
  for (int place = 0; place < kPlaces; ++place) {
    StorePanel(sums[place], channels.result, block.filter,
               block.result + place * channels.result.place_step);
  }
}

template <int kPlaces = kMostPlacesOfChannels>
void MultiplyChannelsOfPlaces(const ByteChannels& channels, const Block& block, int count) {
  if (count == kPlaces) return MultiplyChannelsOfBlock<kPlaces>(channels, block);
  if constexpr (kPlaces > 1) MultiplyChannelsOfPlaces<kPlaces - 1>(channels, block, count);
}

void MultiplyChannels(const ByteChannels& channels) {
  for (std::int64_t filter = 0; filter < channels.result.num_filters; filter += kByteFilters) {
    ForEachBlock(
        channels.places, channels.result, filter, kMostPlacesOfChannels,
        [&](const Block& block, int count) { MultiplyChannelsOfPlaces(channels, block, count); });
  }
}

void WidenRun(const unsigned char* bytes, const ByteRun& run, std::int64_t count,
              std::int16_t* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<std::int16_t>((bytes[i] ^ run.flip) - run.zero_point);
  }
}

/// Few channels, so many that the compiler knows the number.
template <int kChannels>
void WidenPlaces(const ByteRun& run, std::int16_t* to) {
  constexpr int kStep = (kChannels + 1) / 2 * 2;
  const unsigned char* bytes = run.bytes;
  for (std::int64_t place = 0; place < run.num_places; ++place) {
    std::int16_t elements[kStep] = {};
    for (int i = 0; i < kChannels; ++i) {
      elements[i] = static_cast<std::int16_t>((bytes[i] ^ run.flip) - run.zero_point);
    }
    __builtin_memcpy(to, elements, sizeof(elements));
    bytes += kChannels;
    to += kStep;
  }
}

void Widen(const ByteRun& run, std::int16_t* elements) {
  if (run.step == run.num_channels) {
    return WidenRun(run.bytes, run, run.num_places * run.num_channels, elements);
  }
  if (run.num_channels == 1 && run.step == 2) return WidenPlaces<1>(run, elements);
  if (run.num_channels == 3 && run.step == 4) return WidenPlaces<3>(run, elements);
  const unsigned char* bytes = run.bytes;
  for (std::int64_t place = 0; place < run.num_places; ++place) {
    WidenRun(bytes, run, run.num_channels, elements);
    for (std::int64_t i = run.num_channels; i < run.step; ++i) elements[i] = 0;
    bytes += run.num_channels;
    elements += run.step;
  }
}

void Requantise(const std::int32_t* sums, const ByteResult& result) {
  for (std::int64_t filter = 0; filter < result.num_filters; filter += kByteFilters) {
    Sums panel[kSumVectors];
    for (int v = 0; v < kSumVectors; ++v) panel[v] = LoadSums(sums + filter + v * kLanes);
    StoreBytes(panel, result, filter, result.bytes);
  }
}

void Subtract(const std::int32_t* x, std::int32_t a, const std::int32_t* y, std::int32_t b,
              std::int32_t* sums, std::int64_t count) {
  const auto wide_a = static_cast<std::uint32_t>(a);
  const auto wide_b = static_cast<std::uint32_t>(b);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    sums[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[i]) -
                                        wide_a * static_cast<std::uint32_t>(x[i]) -
                                        wide_b * static_cast<std::uint32_t>(y[i]));
  }
}

}  // namespace

void FillByteProducts(ByteProductFunctions& functions) {
  functions.widen = &Widen;
  functions.multiply = &Multiply;
  functions.multiply_channels = &MultiplyChannels;
  functions.requantise = &Requantise;
  functions.subtract = &Subtract;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
