// Rows that are rounded to int8 by blocks, times bytes. Compiled without contraction: a product is
// rounded before it becomes an integer.

#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"
#include "simd/functions/vectors.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

/// Gives the scale of the block: NaN where not all of it are numbers.
float RoundBlock(const float* a, std::int64_t count, std::int8_t* rounded, float& sum) {
  constexpr float kMost = 127.0F;
  constexpr float kLeastNormal = 1.17549435e-38F;
  constexpr std::uint32_t kWithoutSign = 0x7fffffff;
  std::uint32_t most = 0;  // by its bits, NaN is greater than all numbers
#pragma omp simd reduction(max : most)
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = ToBits(a[i]) & kWithoutSign;
    most = bits > most ? bits : most;
  }
  const float greatest = FromBits(most);
  const bool are_numbers = greatest < kInfinity;
  const float scale = greatest / kMost;
  const float ratio = are_numbers && scale >= kLeastNormal ? 1.0F / scale : 0.0F;
  std::int32_t total = 0;
#pragma omp simd reduction(+ : total)
  for (std::int64_t i = 0; i < count; ++i) {
    const float number = are_numbers ? a[i] : 0.0F;
    const auto integer = static_cast<std::int32_t>((number * ratio + kRounder) - kRounder);
    rounded[i] = static_cast<std::int8_t>(integer);
    total += integer;
  }
  sum = static_cast<float>(total);
  return are_numbers ? scale : greatest - greatest;
}

void RoundRows(const ByteWeights& product, std::int64_t begin, std::int64_t end,
               RoundedRows& rows) {
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t first = i * product.block;
    rows.scales[i] = RoundBlock(product.a + first, product.block, rows.a + first, rows.sums[i]);
  }
}

#if defined(__AVX2__)

/// So many elements of a column lie together.
constexpr std::int64_t kGroup = 4;

CPUACC_INLINE std::int32_t LoadGroup(const std::int8_t* a) {
  std::int32_t elements = 0;
  __builtin_memcpy(&elements, a, sizeof(elements));
  return elements;
}

#if defined(__AVX512BW__)

#define CPUACC_BYTE_SUMS __attribute__((target("avx512vnni")))
constexpr int kVectors = 1;
constexpr int kMostRows = 6;
typedef __m512i Integers;
typedef __m512 Floats;

CPUACC_INLINE Integers LoadIntegers(const std::uint8_t* from) {
  return _mm512_loadu_si512(from);
}
CPUACC_INLINE Floats LoadFloats(const float* from) {
  return _mm512_loadu_ps(from);
}
CPUACC_INLINE Integers TakeLow(Integers bytes) {
  return _mm512_and_si512(bytes, _mm512_set1_epi8(0xf));
}
CPUACC_INLINE Integers TakeHigh(Integers bytes) {
  return TakeLow(_mm512_srli_epi16(bytes, 4));
}
CPUACC_INLINE Integers AddIntegers(Integers a, Integers b) {
  return _mm512_add_epi32(a, b);
}
CPUACC_BYTE_SUMS CPUACC_INLINE Integers AddProducts(Integers sums, Integers bytes,
                                                    std::int32_t factor) {
  return _mm512_dpbusd_epi32(sums, bytes, _mm512_set1_epi32(factor));
}
CPUACC_INLINE Floats AddScaled(Integers sums, Floats zero_point, float sum_of_row, Floats scale,
                               float row_scale, Floats result) {
  // GCC takes what the form without a mask leaves open for something that is missing.
  constexpr __mmask16 kAll = 0xffff;
  const Floats difference = _mm512_fnmadd_ps(zero_point, _mm512_set1_ps(sum_of_row),
                                             _mm512_maskz_cvtepi32_ps(kAll, sums));
  return _mm512_fmadd_ps(difference, _mm512_mul_ps(scale, _mm512_set1_ps(row_scale)), result);
}

#else

#define CPUACC_BYTE_SUMS
constexpr int kVectors = 2;
constexpr int kMostRows = 4;
typedef __m256i Integers;
typedef __m256 Floats;

CPUACC_INLINE Integers LoadIntegers(const std::uint8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
CPUACC_INLINE Floats LoadFloats(const float* from) {
  return _mm256_loadu_ps(from);
}
CPUACC_INLINE Integers TakeLow(Integers bytes) {
  return _mm256_and_si256(bytes, _mm256_set1_epi8(0xf));
}
CPUACC_INLINE Integers TakeHigh(Integers bytes) {
  return TakeLow(_mm256_srli_epi16(bytes, 4));
}
CPUACC_INLINE Integers AddIntegers(Integers a, Integers b) {
  return _mm256_add_epi32(a, b);
}
/// Exact of elements of 4 bits: two products fit in 16 bits.
CPUACC_INLINE Integers AddProducts(Integers sums, Integers bytes, std::int32_t factor) {
  const Integers pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi32(factor));
  return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}
CPUACC_INLINE Floats AddScaled(Integers sums, Floats zero_point, float sum_of_row, Floats scale,
                               float row_scale, Floats result) {
  const Floats difference =
      _mm256_fnmadd_ps(zero_point, _mm256_set1_ps(sum_of_row), _mm256_cvtepi32_ps(sums));
  return _mm256_fmadd_ps(difference, _mm256_mul_ps(scale, _mm256_set1_ps(row_scale)), result);
}

#endif

constexpr std::int64_t kLineBytes = kPanelColumns * kGroup;

/// Elements of whole bytes: one line has a group of each column.
struct Bytes {
  static constexpr int kGroups = 1;
  static CPUACC_INLINE Integers Take(Integers bytes, int /*group*/) { return bytes; }
};

/// Elements of 4 bits: two groups, one above the other.
struct HalfBytes {
  static constexpr int kGroups = 2;
  static CPUACC_INLINE Integers Take(Integers bytes, int group) {
    return group == 0 ? TakeLow(bytes) : TakeHigh(bytes);
  }
};

/// Rows that are multiplied at once, from `first` on, and a panel.
template <int kRows, typename Elements>
CPUACC_BYTE_SUMS void MultiplyRows(const ByteWeights& product, const RoundedRows& rows,
                                   std::int64_t first, std::int64_t panel) {
  // More sums than these need not wait for each other.
  constexpr int kChains = kRows <= 2 ? Elements::kGroups : 1;
  const std::int64_t blocks = product.inner / product.block;
  const std::int64_t lines = product.block / (kGroup * Elements::kGroups);
  const std::uint8_t* bytes = product.b + panel * blocks * lines * kLineBytes;
  const float* scales = product.scales + panel * blocks * kPanelColumns;
  const float* zero_points = product.zero_points + panel * blocks * product.zero_point_step;
  const std::int8_t* a = rows.a + first * product.inner;
  Floats results[kRows][kVectors] = {};
  for (std::int64_t block = 0; block < blocks; ++block) {
    Integers sums[kRows][kVectors][kChains] = {};
    for (std::int64_t line = 0; line < lines; ++line) {
      for (int v = 0; v < kVectors; ++v) {
        const Integers both = LoadIntegers(bytes + v * (kLineBytes / kVectors));
        for (int group = 0; group < Elements::kGroups; ++group) {
          const Integers weights = Elements::Take(both, group);
          for (int row = 0; row < kRows; ++row) {
            Integers& sum = sums[row][v][group % kChains];
            sum = AddProducts(sum, weights, LoadGroup(a + row * product.inner + group * kGroup));
          }
        }
      }
      a += kGroup * Elements::kGroups;
      bytes += kLineBytes;
    }
    for (int v = 0; v < kVectors; ++v) {
      const Floats scale = LoadFloats(scales + v * kLanes);
      const Floats zero_point = LoadFloats(zero_points + v * kLanes);
      for (int row = 0; row < kRows; ++row) {
        Integers sum = sums[row][v][0];
        if (kChains > 1) sum = AddIntegers(sum, sums[row][v][kChains - 1]);
        const std::int64_t at = (first + row) * blocks + block;
        results[row][v] =
            AddScaled(sum, zero_point, rows.sums[at], scale, rows.scales[at], results[row][v]);
      }
    }
    scales += kPanelColumns;
    zero_points += product.zero_point_step;
  }
  const std::int64_t column = panel * kPanelColumns;
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
    float* to = product.result + (first + row) * product.result_row_step + column;
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t left = product.columns - column - v * kLanes;
      if (left > 0) StoreFirst(reinterpret_cast<Vector>(results[row][v]), left, to + v * kLanes);
    }
  }
}

template <typename Elements, int kRows = kMostRows>
CPUACC_BYTE_SUMS void MultiplyAtOnce(const ByteWeights& product, const RoundedRows& rows,
                                     std::int64_t first, std::int64_t num_rows,
                                     std::int64_t panel) {
  if (num_rows == kRows) return MultiplyRows<kRows, Elements>(product, rows, first, panel);
  if constexpr (kRows > 1) {
    MultiplyAtOnce<Elements, kRows - 1>(product, rows, first, num_rows, panel);
  }
}

/// Rows in blocks that are alike.
template <typename Elements>
CPUACC_BYTE_SUMS void MultiplyPanels(const ByteWeights& product, const RoundedRows& rows,
                                     std::int64_t begin, std::int64_t end) {
  for (std::int64_t panel = begin; panel < end; ++panel) {
    std::int64_t first = 0;
    for (std::int64_t left = (product.rows + kMostRows - 1) / kMostRows; left > 0; --left) {
      const std::int64_t num_rows = (product.rows - first + left - 1) / left;
      MultiplyAtOnce<Elements>(product, rows, first, num_rows, panel);
      first += num_rows;
    }
  }
}

#endif

}  // namespace

void FillRoundedProducts(ProductFunctions& functions) {
  functions.round_rows = &RoundRows;
#if defined(__AVX512BW__)
  if (!HasAvx512Vnni()) return;
  functions.multiply_rounded_bytes = &MultiplyPanels<Bytes>;
  functions.multiply_rounded_halves = &MultiplyPanels<HalfBytes>;
#elif defined(__AVX2__)
  functions.multiply_rounded_halves = &MultiplyPanels<HalfBytes>;
#endif
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
