#include "simd/functions/attention_scores.hpp"
#include "simd/functions/functions.hpp"
#include "simd/functions/transposed_lanes.hpp"
#include "simd/functions/vectors.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

// A block of sums stays in registers: so many rows of so many vectors of queries.
#if defined(__AVX512F__)
constexpr int kMostRows = 6;
constexpr int kPanelVectors = 4;
#elif defined(__AVX2__)
constexpr int kMostRows = 6;
constexpr int kPanelVectors = 2;
#else
constexpr int kMostRows = 3;
constexpr int kPanelVectors = 4;
#endif
constexpr std::int64_t kPanel = kPanelVectors * kLanes;

int CountVectors(const QueryBlock& block) {
  return static_cast<int>((block.num_queries + kLanes - 1) / kLanes);
}

/// The part of a matrix that fills a square of vectors, or less where the matrix ends.
struct Tile {
  bool IsWhole() const { return num_rows >= kLanes && num_columns >= kLanes; }

  std::int64_t row_step;
  std::int64_t column_step;
  std::int64_t num_rows;
  std::int64_t num_columns;
};

/// Calls `use(column, elements)` for each column of a tile. What is beyond the matrix is 0.
template <typename Element, typename Use>
CPUACC_INLINE void ForColumns(const Element* x, const Tile& tile, Use use) {
  Vector vectors[kLanes];
  if (tile.column_step == 1 && tile.IsWhole()) {
#pragma GCC unroll 16
    for (int row = 0; row < kLanes; ++row)
      vectors[row] = LoadFirst(x + row * tile.row_step, kLanes);
    TransposeLanes(vectors);
#pragma GCC unroll 16
    for (int column = 0; column < kLanes; ++column) use(column, vectors[column]);
    return;
  }
  for (int row = 0; row < kLanes; ++row) {
    vectors[row] = row < tile.num_rows
                       ? LoadStrided(x + row * tile.row_step, tile.column_step, tile.num_columns)
                       : Vector{};
  }
  TransposeLanes(vectors);
  for (int column = 0; column < kLanes && column < tile.num_columns; ++column) {
    use(column, vectors[column]);
  }
}

/// Writes a tile, whose columns `make(column)` gives.
template <typename Make>
CPUACC_INLINE void StoreColumns(Make make, const Tile& tile, float* x) {
  Vector vectors[kLanes];
  if (tile.column_step == 1 && tile.IsWhole()) {
#pragma GCC unroll 16
    for (int column = 0; column < kLanes; ++column) vectors[column] = make(column);
    TransposeLanes(vectors);
#pragma GCC unroll 16
    for (int row = 0; row < kLanes; ++row)
      StoreFirst(vectors[row], kLanes, x + row * tile.row_step);
    return;
  }
  for (int column = 0; column < kLanes; ++column) {
    vectors[column] = column < tile.num_columns ? make(column) : Vector{};
  }
  TransposeLanes(vectors);
  for (int row = 0; row < kLanes && row < tile.num_rows; ++row) {
    StoreStrided(vectors[row], tile.num_columns, tile.column_step, x + row * tile.row_step);
  }
}

/// result = result * factors + a * b, where rows of b and of the result are those of a block.
struct PanelProduct {
  std::int64_t rows;
  std::int64_t inner;
  const float* a;
  std::int64_t a_row_step;
  std::int64_t a_inner_step;
  const float* b;
  const float* factors;  // null: of 0
  float* result;
};

template <int kRows, int kVectors>
CPUACC_INLINE void MultiplyRows(const PanelProduct& product, const float* a, float* result) {
  Vector sums[kRows][kVectors] = {};
  if (product.factors != nullptr) {
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        sums[row][v] =
            Load(result + row * kPanel + v * kLanes) * Load(product.factors + v * kLanes);
      }
    }
  }
  const float* b = product.b;
  for (std::int64_t k = 0; k < product.inner; ++k) {
    Vector columns[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) columns[v] = Load(b + v * kLanes);
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) {
      const float factor = a[row * product.a_row_step];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[row][v] += factor * columns[v];
    }
    a += product.a_inner_step;
    b += kPanel;
  }
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) Store(sums[row][v], result + row * kPanel + v * kLanes);
  }
}

template <int kVectors, int kRows = kMostRows - 1>
CPUACC_INLINE void MultiplyLastRows(const PanelProduct& product, std::int64_t num_rows,
                                    const float* a, float* result) {
  if (num_rows == kRows) return MultiplyRows<kRows, kVectors>(product, a, result);
  if constexpr (kRows > 1) MultiplyLastRows<kVectors, kRows - 1>(product, num_rows, a, result);
}

template <int kVectors>
void Multiply(const PanelProduct& product) {
  const float* a = product.a;
  float* result = product.result;
  std::int64_t left = product.rows;
  for (; left >= kMostRows; left -= kMostRows) {
    MultiplyRows<kMostRows, kVectors>(product, a, result);
    a += kMostRows * product.a_row_step;
    result += kMostRows * kPanel;
  }
  MultiplyLastRows<kVectors>(product, left, a, result);
}

void LoadQueries(const StridedMatrix& queries, float factor, const QueryBlock& block) {
  for (std::int64_t first = 0; first < block.num_queries; first += kLanes) {
    for (std::int64_t d = 0; d < block.depth; d += kLanes) {
      float* to = block.queries + d * kPanel + first;
      ForColumns(
          queries.begin + first * queries.row_step + d * queries.column_step,
          {queries.row_step, queries.column_step, block.num_queries - first, block.depth - d},
          [&](int i, Vector elements) { Store(factor * elements, to + i * kPanel); });
    }
  }
  for (std::int64_t i = 0; i < kPanel; ++i) {
    block.greatest[i] = -kInfinity;
    block.totals[i] = 0.0F;
  }
}

/// All queries have the same mask.
template <typename Change>
void MaskKeys(const ScoreMask& mask, std::int64_t num_keys, const QueryBlock& block,
              Change change) {
  const auto* begin = static_cast<const typename Change::Element*>(mask.begin);
  for (std::int64_t key = 0; key < num_keys; ++key) {
    const Vector of_key = Vector{} + static_cast<float>(begin[key * mask.column_step]);
    float* scores = block.scores + key * kPanel;
    for (std::int64_t i = 0; i < block.num_queries; i += kLanes) {
      Store(change(Load(scores + i), of_key), scores + i);
    }
  }
}

template <typename Change>
void MaskScores(const ScoreMask& mask, std::int64_t num_keys, const QueryBlock& block,
                Change change) {
  const auto* begin = static_cast<const typename Change::Element*>(mask.begin);
  for (std::int64_t first = 0; first < block.num_queries; first += kLanes) {
    for (std::int64_t key = 0; key < num_keys; key += kLanes) {
      float* scores = block.scores + key * kPanel + first;
      ForColumns(begin + first * mask.row_step + key * mask.column_step,
                 {mask.row_step, mask.column_step, block.num_queries - first, num_keys - key},
                 [&](int i, Vector elements) {
                   Store(change(Load(scores + i * kPanel), elements), scores + i * kPanel);
                 });
    }
  }
}

template <typename Change>
void MaskPanel(const ScoreMask& mask, std::int64_t num_keys, const QueryBlock& block,
               Change change) {
  if (mask.row_step == 0) {
    MaskKeys(mask, num_keys, block, change);
  } else {
    MaskScores(mask, num_keys, block, change);
  }
}

/// Makes exponentials of the scores, and takes them into greatest and totals. The sums of values
/// are to be multiplied with `factors`. A score of negative infinity counts nothing.
template <int kVectors>
void MakeExponentials(std::int64_t num_keys, const QueryBlock& block, float* factors) {
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    float* scores = block.scores + v * kLanes;
    const Vector before = Load(block.greatest + v * kLanes);
    Vector greatest = before;
    for (std::int64_t key = 0; key < num_keys; ++key) {
      const Vector score = Load(scores + key * kPanel);
      greatest = score > greatest ? score : greatest;
    }
    const Vector shift = FindShift(greatest);
    const Vector factor = ExpOfLanes(before - shift);
    Vector total = Load(block.totals + v * kLanes) * factor;
    for (std::int64_t key = 0; key < num_keys; ++key) {
      const Vector exponential = ExpOfLanes(Load(scores + key * kPanel) - shift);
      Store(exponential, scores + key * kPanel);
      total += exponential;
    }
    Store(greatest, block.greatest + v * kLanes);
    Store(total, block.totals + v * kLanes);
    Store(factor, factors + v * kLanes);
  }
}

template <int kVectors>
void AddKeysToVectors(const KeyBlock& keys, const QueryBlock& block) {
  Multiply<kVectors>({keys.num_keys, block.depth, keys.keys.begin, keys.keys.row_step,
                      keys.keys.column_step, block.queries, nullptr, block.scores});
  for (const ScoreMask& mask : keys.masks) {
    ApplyMask(mask, [&](auto change) { MaskPanel(mask, keys.num_keys, block, change); });
  }
  alignas(sizeof(Vector)) float factors[kPanel];
  MakeExponentials<kVectors>(keys.num_keys, block, factors);
  Multiply<kVectors>({block.width, keys.num_keys, keys.values.begin, keys.values.column_step,
                      keys.values.row_step, block.scores, keys.are_first ? nullptr : factors,
                      block.sums});
}

template <int kVectors = kPanelVectors>
void AddKeysTo(int num_vectors, const KeyBlock& keys, const QueryBlock& block) {
  if (num_vectors == kVectors) return AddKeysToVectors<kVectors>(keys, block);
  if constexpr (kVectors > 1) AddKeysTo<kVectors - 1>(num_vectors, keys, block);
}

void AddKeys(const KeyBlock& keys, const QueryBlock& block) {
  AddKeysTo(CountVectors(block), keys, block);
}

void StoreResults(const QueryBlock& block, float* results, std::int64_t row_step,
                  std::int64_t column_step) {
  for (std::int64_t first = 0; first < block.num_queries; first += kLanes) {
    const Vector factor = 1.0F / Load(block.totals + first);
    for (std::int64_t d = 0; d < block.width; d += kLanes) {
      const float* sums = block.sums + d * kPanel + first;
      StoreColumns([&](int i) { return factor * Load(sums + i * kPanel); },
                   {row_step, column_step, block.num_queries - first, block.width - d},
                   results + first * row_step + d * column_step);
    }
  }
}

}  // namespace

void FillAttention(AttentionFunctions& functions) {
  functions.many_queries = {kPanel, &LoadQueries, &AddKeys, &StoreResults};
  FillAttentionRows(functions.few_queries);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
