#include "simd/functions/functions.hpp"
#include "simd/functions/vectors.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

constexpr int kVectors = static_cast<int>(kPanelColumns) / kLanes;

/// The columns of a panel.
struct PanelRow {
  Vector at[kVectors];
};

CPUACC_INLINE PanelRow LoadFloats(const float* from) {
  PanelRow row;
  __builtin_memcpy(&row, from, sizeof(row));
  return row;
}

#if defined(__AVX2__)

typedef std::int32_t Integers __attribute__((vector_size(sizeof(Vector))));

CPUACC_INLINE Vector ToFloats(Integers integers) {
  return __builtin_convertvector(integers, Vector);
}

CPUACC_INLINE PanelRow Widen(__m128i bytes) {
  PanelRow row;
#if defined(__AVX512F__)
  // GCC takes what the form without a mask leaves open for something that is missing.
  constexpr __mmask16 kAll = 0xffff;
  row.at[0] = ToFloats(reinterpret_cast<Integers>(_mm512_maskz_cvtepu8_epi32(kAll, bytes)));
#else
  row.at[0] = ToFloats(reinterpret_cast<Integers>(_mm256_cvtepu8_epi32(bytes)));
  row.at[1] =
      ToFloats(reinterpret_cast<Integers>(_mm256_cvtepu8_epi32(_mm_srli_si128(bytes, kLanes))));
#endif
  return row;
}

CPUACC_INLINE __m128i LoadBytes(const std::uint8_t* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

/// Elements of whole bytes: one load has those of one row.
struct Bytes {
  static constexpr int kRows = 1;
  static CPUACC_INLINE void Load(const std::uint8_t* from, PanelRow* rows) {
    rows[0] = Widen(LoadBytes(from));
  }
};

/// Of 4 bits: of two rows.
struct HalfBytes {
  static constexpr int kRows = 2;
  static CPUACC_INLINE void Load(const std::uint8_t* from, PanelRow* rows) {
    const __m128i low = _mm_set1_epi8(0xf);
    const __m128i bytes = LoadBytes(from);
    rows[0] = Widen(_mm_and_si128(bytes, low));
    rows[1] = Widen(_mm_and_si128(_mm_srli_epi16(bytes, 4), low));
  }
};

#else

struct Bytes {
  static constexpr int kRows = 1;
  static CPUACC_INLINE void Load(const std::uint8_t* from, PanelRow* rows) {
    float floats[kPanelColumns];
#pragma omp simd
    for (int i = 0; i < kPanelColumns; ++i) floats[i] = static_cast<float>(from[i]);
    rows[0] = LoadFloats(floats);
  }
};

struct HalfBytes {
  static constexpr int kRows = 2;
  static CPUACC_INLINE void Load(const std::uint8_t* from, PanelRow* rows) {
    float floats[2][kPanelColumns];
#pragma omp simd
    for (int i = 0; i < kPanelColumns; ++i) {
      floats[0][i] = static_cast<float>(from[i] & 0xf);
      floats[1][i] = static_cast<float>(from[i] >> 4);
    }
    rows[0] = LoadFloats(floats[0]);
    rows[1] = LoadFloats(floats[1]);
  }
};

#endif

/// So many sums go on at once for each element of the result that additions need not wait.
template <int kNumRows>
constexpr int kChains = kNumRows == 1 ? 4 : 2;

template <int kNumRows, typename Elements>
void MultiplyPanel(const ByteWeights& product, std::int64_t panel) {
  constexpr int kNumChains = kChains<kNumRows>;
  constexpr std::int64_t kLoads = kNumChains / Elements::kRows;
  const std::int64_t blocks = product.inner / product.block;
  const std::uint8_t* bytes = product.b + panel * product.inner / Elements::kRows * kPanelColumns;
  const float* scales = product.scales + panel * blocks * kPanelColumns;
  const float* zero_points = product.zero_points + panel * blocks * product.zero_point_step;
  PanelRow results[kNumRows] = {};
  for (std::int64_t block = 0; block < blocks; ++block) {
    PanelRow sums[kNumRows][kNumChains] = {};
    const float* a = product.a + block * product.block;
    const auto add = [&](std::int64_t element, int chain) __attribute__((always_inline)) {
      PanelRow weights[Elements::kRows];
      Elements::Load(bytes, weights);
      bytes += kPanelColumns;
      for (int i = 0; i < Elements::kRows; ++i) {
        for (int row = 0; row < kNumRows; ++row) {
          const float factor = a[row * product.a_row_step + element + i];
          for (int v = 0; v < kVectors; ++v) {
            sums[row][chain + i].at[v] += factor * weights[i].at[v];
          }
        }
      }
    };
    std::int64_t element = 0;
    for (; element + kNumChains <= product.block; element += kNumChains) {
#pragma GCC unroll 4
      for (std::int64_t load = 0; load < kLoads; ++load) {
        add(element + load * Elements::kRows, static_cast<int>(load) * Elements::kRows);
      }
    }
    for (; element < product.block; element += Elements::kRows) add(element, 0);
    const PanelRow scale = LoadFloats(scales + block * kPanelColumns);
    const PanelRow zero_point = LoadFloats(zero_points + block * product.zero_point_step);
    for (int row = 0; row < kNumRows; ++row) {
      const float of_a = product.sums[row * blocks + block];
      for (int v = 0; v < kVectors; ++v) {
        Vector sum = sums[row][0].at[v];
        for (int chain = 1; chain < kNumChains; ++chain) sum += sums[row][chain].at[v];
        results[row].at[v] += scale.at[v] * (sum - of_a * zero_point.at[v]);
      }
    }
  }
  const std::int64_t first = panel * kPanelColumns;
  for (int row = 0; row < kNumRows; ++row) {
    float* to = product.result + row * product.result_row_step + first;
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t left = product.columns - first - v * kLanes;
      if (left > 0) StoreFirst(results[row].at[v], left, to + v * kLanes);
    }
  }
}

template <typename Elements>
void MultiplyPanels(const ByteWeights& product, std::int64_t begin, std::int64_t end) {
  for (std::int64_t panel = begin; panel < end; ++panel) {
    switch (product.rows) {
      case 1:
        MultiplyPanel<1, Elements>(product, panel);
        break;
      case 2:
        MultiplyPanel<2, Elements>(product, panel);
        break;
      case 3:
        MultiplyPanel<3, Elements>(product, panel);
        break;
      case 4:
        MultiplyPanel<4, Elements>(product, panel);
        break;
      case 5:
        MultiplyPanel<5, Elements>(product, panel);
        break;
      default:
        MultiplyPanel<6, Elements>(product, panel);
    }
  }
}

template <typename Elements>
void WidenPanel(const ByteWeights& product, std::int64_t panel, float* floats) {
  const std::int64_t blocks = product.inner / product.block;
  const std::uint8_t* bytes = product.b + panel * product.inner / Elements::kRows * kPanelColumns;
  const float* scales = product.scales + panel * blocks * kPanelColumns;
  const float* zero_points = product.zero_points + panel * blocks * product.zero_point_step;
  for (std::int64_t block = 0; block < blocks; ++block) {
    const PanelRow scale = LoadFloats(scales + block * kPanelColumns);
    const PanelRow zero_point = LoadFloats(zero_points + block * product.zero_point_step);
    for (std::int64_t element = 0; element < product.block; element += Elements::kRows) {
      PanelRow weights[Elements::kRows];
      Elements::Load(bytes, weights);
      bytes += kPanelColumns;
      for (int i = 0; i < Elements::kRows; ++i) {
        for (int v = 0; v < kVectors; ++v) {
          weights[i].at[v] = (weights[i].at[v] - zero_point.at[v]) * scale.at[v];
        }
        __builtin_memcpy(floats, &weights[i], sizeof(weights[i]));
        floats += kPanelColumns;
      }
    }
  }
}

}  // namespace

void FillByteWeights(ProductFunctions& functions) {
  functions.widen_byte_weights = [](const ByteWeights& product, std::int64_t panel, float* floats) {
    if (product.are_halves) {
      WidenPanel<HalfBytes>(product, panel, floats);
    } else {
      WidenPanel<Bytes>(product, panel, floats);
    }
  };
  functions.multiply_byte_weights = [](const ByteWeights& product, std::int64_t begin,
                                       std::int64_t end) {
    if (product.are_halves) {
      MultiplyPanels<HalfBytes>(product, begin, end);
    } else {
      MultiplyPanels<Bytes>(product, begin, end);
    }
  };
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
