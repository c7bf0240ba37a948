#pragma once

/// Attention of float32, in blocks: some queries meet some keys at a time. For each query the
/// greatest score so far is kept, and sums of exponentials of what scores are below it.

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Rows of numbers. Steps count elements.
struct StridedMatrix {
  const float* begin = nullptr;
  std::int64_t row_step = 0;
  std::int64_t column_step = 0;
};

/// Some queries, what is known of them, and room to compute in. Every array is aligned to 64 bytes
/// and has so many elements for each of the queries that there may be (BlockFunctions).
struct QueryBlock {
  std::int64_t num_queries = 0;
  std::int64_t depth = 0;     // of a query and a key
  std::int64_t width = 0;     // of a value
  float* queries = nullptr;   // PadVector(depth)
  float* scores = nullptr;    // kMostBlockKeys
  float* sums = nullptr;      // PadVector(width); of values times exponentials
  float* greatest = nullptr;  // 1, of the scores
  float* totals = nullptr;    // 1, of exponentials
};

/// So many elements that the vectors of every instruction set fill them.
inline std::int64_t PadVector(std::int64_t count) {
  constexpr std::int64_t kMostLanes = 16;
  return (count + kMostLanes - 1) / kMostLanes * kMostLanes;
}

/// Keys in one block, at most.
constexpr std::int64_t kMostBlockKeys = 64;

/// What becomes of a score.
enum class MaskKind : std::uint32_t {
  kNone,
  kAdded,   // the sum with a number of float32
  kKept,    // `fill` where a bool is 0
  kFilled,  // `fill` where a bool is not 0
};

/// A mask, [queries, keys]. Steps count elements.
struct ScoreMask {
  MaskKind kind = MaskKind::kNone;
  float fill = 0.0F;
  const void* begin = nullptr;
  std::int64_t row_step = 0;
  std::int64_t column_step = 0;
};

/// Masks that scores may have, one after the other.
constexpr int kMostMasks = 2;

/// Keys with their values, and the masks of the queries that meet them.
struct KeyBlock {
  bool are_first = false;  // that the queries meet
  std::int64_t num_keys = 0;
  StridedMatrix keys;
  StridedMatrix values;
  ScoreMask masks[kMostMasks];
};

/// One way to compute with a block of queries.
struct BlockFunctions {
  std::int64_t most_queries = 0;
  /// Reads the queries, times a factor.
  void (*load_queries)(const StridedMatrix& queries, float factor,
                       const QueryBlock& block) = nullptr;
  /// Adds up the values, each times the exponential of its score.
  void (*add_keys)(const KeyBlock& keys, const QueryBlock& block) = nullptr;
  /// Writes the sums divided by the totals, one row for each query. NaN when all scores were
  /// negative infinity.
  void (*store_results)(const QueryBlock& block, float* results, std::int64_t row_step,
                        std::int64_t column_step) = nullptr;
};

struct AttentionFunctions {
  BlockFunctions many_queries;
  /// Faster where there are few. Columns of keys and values lie one after the other.
  BlockFunctions few_queries;
};

}  // namespace cpuacc
}  // namespace backplane
