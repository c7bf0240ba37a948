#include "simd/functions/attention_scores.hpp"
#include "simd/functions/functions.hpp"
#include "simd/functions/transposed_lanes.hpp"
#include "simd/functions/vectors.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

/// Vectors of a value that stay in registers.
constexpr int kValueVectors = 8;

/// One query of a block.
struct QueryRow {
  float* query;
  float* scores;
  float* sums;
  float* greatest;
  float* total;
};

QueryRow FindRow(const QueryBlock& block, std::int64_t row) {
  return {block.queries + row * PadVector(block.depth), block.scores + row * kMostBlockKeys,
          block.sums + row * PadVector(block.width), block.greatest + row, block.totals + row};
}

void LoadRows(const StridedMatrix& queries, float factor, const QueryBlock& block) {
  for (std::int64_t index = 0; index < block.num_queries; ++index) {
    const QueryRow row = FindRow(block, index);
    const float* from = queries.begin + index * queries.row_step;
    for (std::int64_t d = 0; d < block.depth; d += kLanes) {
      const Vector elements =
          LoadStrided(from + d * queries.column_step, queries.column_step, block.depth - d);
      Store(factor * elements, row.query + d);
    }
    *row.greatest = -kInfinity;
    *row.total = 0.0F;
  }
}

/// The products of each lane, yet to be added up.
CPUACC_INLINE Vector MultiplyKey(const float* query, const float* key, std::int64_t depth) {
  Vector products = {};
  std::int64_t d = 0;
  for (; d + kLanes <= depth; d += kLanes) products += Load(query + d) * LoadFirst(key + d, kLanes);
  if (d < depth) products += Load(query + d) * LoadFirst(key + d, depth - d);
  return products;
}

/// Of one query. Behind the last key they are negative infinity, up to the end of a vector.
void MakeScores(const KeyBlock& keys, std::int64_t depth, const QueryRow& row) {
  for (std::int64_t first = 0; first < keys.num_keys; first += kLanes) {
    const std::int64_t count = keys.num_keys - first;
    const float* key = keys.keys.begin + first * keys.keys.row_step;
    Vector products[kLanes];
    for (int i = 0; i < kLanes; ++i, key += keys.keys.row_step) {
      products[i] = i < count ? MultiplyKey(row.query, key, depth) : Vector{} - kInfinity;
    }
    TransposeLanes(products);
    Vector sums = products[0];
#pragma GCC unroll 16
    for (int i = 1; i < kLanes; ++i) sums += products[i];
    Store(sums, row.scores + first);
  }
}

/// The mask of one query.
template <typename Change>
void MaskRow(const ScoreMask& mask, std::int64_t index, std::int64_t num_keys, float* scores,
             Change change) {
  const auto* begin =
      static_cast<const typename Change::Element*>(mask.begin) + index * mask.row_step;
  const std::int64_t step = mask.column_step;
  for (std::int64_t first = 0; first < num_keys; first += kLanes) {
    const Vector of_keys = step == 0 ? Vector{} + static_cast<float>(*begin)
                                     : LoadStrided(begin + first * step, step, num_keys - first);
    Store(change(Load(scores + first), of_keys), scores + first);
  }
  for (std::int64_t key = num_keys; key % kLanes != 0; ++key) scores[key] = -kInfinity;
}

/// In pairs.
template <typename Join>
CPUACC_INLINE float JoinLanes(Vector vector, Join join) {
  Lanes lanes = ToLanes(vector);
#pragma GCC unroll 4
  for (int half = kLanes / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < half; ++i) lanes.at[i] = join(lanes.at[i], lanes.at[i + half]);
  }
  return lanes.at[0];
}

/// As MakeExponentials, for one query. Returns the factor of the sums of values.
float MakeRowExponentials(std::int64_t num_keys, const QueryRow& row) {
  Vector greatest_lanes = Vector{} + *row.greatest;
  for (std::int64_t key = 0; key < num_keys; key += kLanes) {
    const Vector scores = Load(row.scores + key);
    greatest_lanes = scores > greatest_lanes ? scores : greatest_lanes;
  }
  const float greatest = JoinLanes(greatest_lanes, [](float a, float b) { return a > b ? a : b; });
  const Vector shift = FindShift(Vector{} + greatest);
  const float factor = ExpOrZero(*row.greatest - shift[0]);
  Vector totals = {};
  for (std::int64_t key = 0; key < num_keys; key += kLanes) {
    const Vector exponentials = ExpOfLanes(Load(row.scores + key) - shift);
    Store(exponentials, row.scores + key);
    totals += exponentials;
  }
  *row.greatest = greatest;
  *row.total = *row.total * factor + JoinLanes(totals, [](float a, float b) { return a + b; });
  return factor;
}

/// The columns of the values from `first` on, of which the last vector may be a part.
template <int kVectors>
void AddValues(const KeyBlock& keys, const QueryRow& row, float factor, std::int64_t first,
               std::int64_t last_count) {
  Vector sums[kVectors] = {};
  if (!keys.are_first) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sums[v] = factor * Load(row.sums + first + v * kLanes);
  }
  const float* values = keys.values.begin + first;
  for (std::int64_t key = 0; key < keys.num_keys; ++key, values += keys.values.row_step) {
    const float weight = row.scores[key];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t count = v + 1 == kVectors ? last_count : kLanes;
      sums[v] += weight * LoadFirst(values + v * kLanes, count);
    }
  }
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) Store(sums[v], row.sums + first + v * kLanes);
}

template <int kVectors = kValueVectors>
void AddSomeValues(std::int64_t num_vectors, const KeyBlock& keys, const QueryRow& row,
                   float factor, std::int64_t first, std::int64_t last_count) {
  if (num_vectors >= kVectors) return AddValues<kVectors>(keys, row, factor, first, last_count);
  if constexpr (kVectors > 1) {
    AddSomeValues<kVectors - 1>(num_vectors, keys, row, factor, first, last_count);
  }
}

void AddAllValues(const KeyBlock& keys, std::int64_t width, const QueryRow& row, float factor) {
  constexpr std::int64_t kColumns = kValueVectors * kLanes;
  for (std::int64_t first = 0; first < width; first += kColumns) {
    const std::int64_t count = width - first < kColumns ? width - first : kColumns;
    const std::int64_t num_vectors = (count + kLanes - 1) / kLanes;
    AddSomeValues(num_vectors, keys, row, factor, first, count - (num_vectors - 1) * kLanes);
  }
}

void AddKeysToRows(const KeyBlock& keys, const QueryBlock& block) {
  for (std::int64_t index = 0; index < block.num_queries; ++index) {
    const QueryRow row = FindRow(block, index);
    MakeScores(keys, block.depth, row);
    for (const ScoreMask& mask : keys.masks) {
      ApplyMask(mask,
                [&](auto change) { MaskRow(mask, index, keys.num_keys, row.scores, change); });
    }
    const float factor = MakeRowExponentials(keys.num_keys, row);
    AddAllValues(keys, block.width, row, factor);
  }
}

void StoreRows(const QueryBlock& block, float* results, std::int64_t row_step,
               std::int64_t column_step) {
  for (std::int64_t index = 0; index < block.num_queries; ++index) {
    const QueryRow row = FindRow(block, index);
    const Vector factor = Vector{} + 1.0F / *row.total;
    for (std::int64_t d = 0; d < block.width; d += kLanes) {
      StoreStrided(factor * Load(row.sums + d), block.width - d, column_step,
                   results + index * row_step + d * column_step);
    }
  }
}

}  // namespace

void FillAttentionRows(BlockFunctions& functions) {
  constexpr std::int64_t kMostQueries = kLanes == 16 ? 4 : 3;
  functions = {kMostQueries, &LoadRows, &AddKeysToRows, &StoreRows};
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
