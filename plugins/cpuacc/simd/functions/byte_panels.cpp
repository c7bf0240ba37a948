#include "simd/functions/byte_vectors.hpp"
#include "simd/functions/functions.hpp"

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

#if defined(__AVX512BW__)

namespace {

#define CPUACC_VNNI __attribute__((target("avx512vnni")))

constexpr int kMostRows = 6;
constexpr int kMostPanels = 4;  // at once
constexpr std::int64_t kGroupBytes = kByteFilters * kByteGroup;

/// Rows and panels that are multiplied at once.
struct Block {
  const unsigned char* a;
  const std::int8_t* b;
  std::int64_t panel_bytes;
  std::int64_t row;
  std::int64_t column;
};

/// Takes what the zero point of the row adds, and writes the columns that are there.
CPUACC_VNNI CPUACC_INLINE void Store(const BytePanels& product, std::int64_t row,
                                     std::int64_t column, __m512i sums) {
  const __m512i of_columns = _mm512_loadu_si512(product.column_sums + column);
  const __m512i zero_point = _mm512_set1_epi32(product.zero_points[row]);
  const __m512i result = _mm512_sub_epi32(sums, _mm512_mullo_epi32(zero_point, of_columns));
  const std::int64_t left = product.columns - column;
  const auto mask = static_cast<__mmask16>(left < kByteFilters ? (1U << left) - 1U : 0xffffU);
  _mm512_mask_storeu_epi32(product.result + row * product.columns + column, mask, result);
}

template <int kRows, int kPanels>
CPUACC_VNNI void MultiplyBlock(const BytePanels& product, const Block& block) {
  const __m512i flip = _mm512_set1_epi8(static_cast<char>(product.flip));
  const unsigned char* a = block.a;
  const std::int8_t* b = block.b;
  Sums sums[kRows][kPanels] = {};
  for (std::int64_t group = 0; group < product.num_groups; ++group) {
    __m512i columns[kPanels];
    for (int panel = 0; panel < kPanels; ++panel) {
      columns[panel] = _mm512_loadu_si512(b + panel * block.panel_bytes);
    }
    for (int row = 0; row < kRows; ++row) {
      std::int32_t elements = 0;
      __builtin_memcpy(&elements, a + row * product.a_row_step, sizeof(elements));
      const __m512i factor = _mm512_xor_si512(_mm512_set1_epi32(elements), flip);
      for (int panel = 0; panel < kPanels; ++panel) {
        sums[row][panel] = reinterpret_cast<Sums>(_mm512_dpbusd_epi32(
            reinterpret_cast<__m512i>(sums[row][panel]), factor, columns[panel]));
      }
    }
    a += kByteGroup;
    b += kGroupBytes;
  }
  // Unrolled, so that the sums stay in registers.
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 8
    for (int panel = 0; panel < kPanels; ++panel) {
      Store(product, block.row + row, block.column + panel * kByteFilters,
            reinterpret_cast<__m512i>(sums[row][panel]));
    }
  }
}

template <int kPanels, int kRows = kMostRows>
CPUACC_VNNI void MultiplyRows(const BytePanels& product, const Block& block,
                              std::int64_t num_rows) {
  if (num_rows == kRows) return MultiplyBlock<kRows, kPanels>(product, block);
  if constexpr (kRows > 1) MultiplyRows<kPanels, kRows - 1>(product, block, num_rows);
}

/// All rows, in blocks that are alike.
template <int kPanels = kMostPanels>
CPUACC_VNNI void MultiplyColumns(const BytePanels& product, Block block, std::int64_t num_panels) {
  if (num_panels < kPanels) {
    if constexpr (kPanels > 1) MultiplyColumns<kPanels - 1>(product, block, num_panels);
    return;
  }
  for (std::int64_t blocks = (product.rows + kMostRows - 1) / kMostRows; blocks > 0; --blocks) {
    const std::int64_t num_rows = (product.rows - block.row + blocks - 1) / blocks;
    MultiplyRows<kPanels>(product, block, num_rows);
    block.a += num_rows * product.a_row_step;
    block.row += num_rows;
  }
}

CPUACC_VNNI void Multiply(const BytePanels& product, std::int64_t begin, std::int64_t end) {
  Block block = {product.a, nullptr, product.num_groups * kGroupBytes, 0, 0};
  for (std::int64_t panel = begin; panel < end; panel += kMostPanels) {
    block.b = product.b + panel * block.panel_bytes;
    block.column = panel * kByteFilters;
    MultiplyColumns(product, block, end - panel);
  }
}

}  // namespace

void FillBytePanels(ByteProductFunctions& functions) {
  if (HasAvx512Vnni()) functions.multiply_panels = &Multiply;
}

#else

void FillBytePanels(ByteProductFunctions& /*functions*/) {}

#endif

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
