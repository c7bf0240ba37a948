#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

// Of one row, so many panels at once that memory is read as fast as it can be.
#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
constexpr int kMostRows = 6;
constexpr int kMostPanels = 4;
constexpr int kMostPanelsOfRow = 4;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
constexpr int kMostRows = 6;
constexpr int kMostPanels = 1;
constexpr int kMostPanelsOfRow = 4;
#else
constexpr int kVectorBytes = 16;
constexpr int kMostRows = 3;
constexpr int kMostPanels = 1;
constexpr int kMostPanelsOfRow = 2;
#endif

typedef float Vector __attribute__((vector_size(kVectorBytes), aligned(4), may_alias));
typedef std::uint32_t Bits __attribute__((vector_size(kVectorBytes), aligned(4), may_alias));
typedef std::uint16_t Halves __attribute__((vector_size(kVectorBytes / 2), aligned(2), may_alias));
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(float));
constexpr int kVectorsOfPanel = static_cast<int>(kPanelColumns) / kLanes;

CPUACC_INLINE Vector Load(const float* from) {
  return *reinterpret_cast<const Vector*>(from);
}

CPUACC_INLINE void Store(float* to, Vector vector) {
  *reinterpret_cast<Vector*>(to) = vector;
}

struct Float16 {
  std::uint16_t bits;
};

struct BFloat16 {
  std::uint16_t bits;
};

CPUACC_INLINE Bits LoadHalves(const void* from) {
  return __builtin_convertvector(*static_cast<const Halves*>(from), Bits);
}

CPUACC_INLINE Vector LoadWeights(const float* from) {
  return Load(from);
}

CPUACC_INLINE Vector LoadWeights(const BFloat16* from) {
  return reinterpret_cast<Vector>(LoadHalves(from) << 16U);
}

/// Finite ones: the exponents of the formats differ by 112.
CPUACC_INLINE Vector LoadWeights(const Float16* from) {
#if defined(__AVX512F__)
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return _mm512_maskz_cvtph_ps(0xffff, halves);  // without the mask, GCC 12 warns
#elif defined(__F16C__)
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#else
  const Bits halves = LoadHalves(from);
  const Vector scaled = reinterpret_cast<Vector>((halves & 0x7fffU) << 13U) * 0x1p112F;
  return reinterpret_cast<Vector>(reinterpret_cast<Bits>(scaled) | ((halves & 0x8000U) << 16U));
#endif
}

/// Where a block of rows and panels begins.
template <typename Weight>
struct Block {
  const float* a;
  const Weight* b;
  std::int64_t b_inner_step;
  const float* bias;
  float* result;
  std::int64_t columns;  // of the last panel
};

/// Adds the bias, and writes the columns of one panel of one row.
CPUACC_INLINE void StorePanel(const Vector* sums, const float* bias, std::int64_t columns,
                              float* result) {
  if (columns == kPanelColumns) {
    for (int v = 0; v < kVectorsOfPanel; ++v) {
      Store(result + v * kLanes, bias == nullptr ? sums[v] : sums[v] + Load(bias + v * kLanes));
    }
    return;
  }
  float row[kPanelColumns];
  for (int v = 0; v < kVectorsOfPanel; ++v) Store(row + v * kLanes, sums[v]);
  for (std::int64_t i = 0; i < columns; ++i) {
    result[i] = bias == nullptr ? row[i] : row[i] + bias[i];
  }
}

template <int kRows, int kPanels, typename Weight>
void MultiplyBlock(const Product& product, const Block<Weight>& block) {
  constexpr int kVectors = kPanels * kVectorsOfPanel;
  Vector sums[kRows][kVectors] = {};
  const float* a = block.a;
  const Weight* b = block.b;
  for (std::int64_t k = 0; k < product.inner; ++k) {
    Vector columns[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t panel = v / kVectorsOfPanel;
      columns[v] = LoadWeights(b + panel * product.b_panel_step + v % kVectorsOfPanel * kLanes);
    }
    for (int row = 0; row < kRows; ++row) {
      const float factor = a[row * product.a_row_step];
      for (int v = 0; v < kVectors; ++v) sums[row][v] += factor * columns[v];
    }
    a += product.a_inner_step;
    b += block.b_inner_step;
  }
  // Unrolled, so that the sums stay in registers.
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 8
    for (int panel = 0; panel < kPanels; ++panel) {
      const std::int64_t first = panel * kPanelColumns;
      StorePanel(&sums[row][panel * kVectorsOfPanel],
                 block.bias == nullptr ? nullptr : block.bias + first,
                 panel + 1 == kPanels ? block.columns : kPanelColumns,
                 block.result + row * product.result_row_step + first);
    }
  }
}

template <int kPanels, int kRows = kMostRows, typename Weight>
void MultiplyRows(const Product& product, const Block<Weight>& block, int num_rows) {
  if (num_rows == kRows) return MultiplyBlock<kRows, kPanels>(product, block);
  if constexpr (kRows > 1) MultiplyRows<kPanels, kRows - 1>(product, block, num_rows);
}

template <int kPanels = kMostPanelsOfRow, typename Weight>
void MultiplyPanels(const Product& product, const Block<Weight>& block, int num_rows,
                    int num_panels) {
  constexpr int kRows = kPanels <= kMostPanels ? kMostRows : 1;
  if (num_panels == kPanels) return MultiplyRows<kPanels, kRows>(product, block, num_rows);
  if constexpr (kPanels > 1) MultiplyPanels<kPanels - 1>(product, block, num_rows, num_panels);
}

/// All rows of some panels, in blocks that are alike.
template <typename Weight>
void MultiplyColumns(const Product& product, Block<Weight> block, int num_panels) {
  std::int64_t left = product.rows;
  for (std::int64_t blocks = (left + kMostRows - 1) / kMostRows; blocks > 0; --blocks) {
    const std::int64_t num_rows = (left + blocks - 1) / blocks;
    MultiplyPanels(product, block, static_cast<int>(num_rows), num_panels);
    block.a += num_rows * product.a_row_step;
    block.result += num_rows * product.result_row_step;
    left -= num_rows;
  }
}

template <typename Weight>
void MultiplyBy(const Product& product) {
  const std::int64_t num_whole = product.columns / kPanelColumns;
  const std::int64_t rest = product.columns % kPanelColumns;
  const int most_panels = product.rows == 1 ? kMostPanelsOfRow : kMostPanels;
  Block<Weight> block = {product.a,
                         static_cast<const Weight*>(product.b),
                         product.b_inner_step,
                         product.bias,
                         product.result,
                         kPanelColumns};
  for (std::int64_t panel = 0; panel < num_whole;) {
    const std::int64_t left = num_whole - panel;
    const int num_panels = left < most_panels ? static_cast<int>(left) : most_panels;
    MultiplyColumns(product, block, num_panels);
    block.b += num_panels * product.b_panel_step;
    if (block.bias != nullptr) block.bias += num_panels * kPanelColumns;
    block.result += num_panels * kPanelColumns;
    panel += num_panels;
  }
  if (rest == 0) return;
  block.b = static_cast<const Weight*>(product.b_last);
  block.b_inner_step = kPanelColumns;
  block.columns = rest;
  MultiplyColumns(product, block, 1);
}

void Multiply(const Product& product) {
  if (product.b_type == DataType::kFloat16) return MultiplyBy<Float16>(product);
  if (product.b_type == DataType::kBFloat16) return MultiplyBy<BFloat16>(product);
  MultiplyBy<float>(product);
}

void Pack(const PanelSource& source, float* panels) {
  for (std::int64_t first = 0; first < source.columns; first += kPanelColumns) {
    const std::int64_t left = source.columns - first;
    const std::int64_t count = left < kPanelColumns ? left : kPanelColumns;
    const float* from = source.b + first * source.column_step;
    for (std::int64_t k = 0; k < source.inner; ++k) {
      for (std::int64_t i = 0; i < count; ++i) panels[i] = from[i * source.column_step];
      for (std::int64_t i = count; i < kPanelColumns; ++i) panels[i] = 0.0F;
      from += source.inner_step;
      panels += kPanelColumns;
    }
  }
}

}  // namespace

void FillProducts(ProductFunctions& functions) {
  functions.multiply = &Multiply;
  functions.pack = &Pack;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
