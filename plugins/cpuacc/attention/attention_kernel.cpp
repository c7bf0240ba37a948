#include "attention/attention_kernel.hpp"

#include "attention/attention_descriptor.hpp"
#include "cpu_layers/divide_up.hpp"
#include "layout/batch_offset.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::DivideUp;

const BlockFunctions& ChooseFunctions(const AttentionDescriptor& attention) {
  const AttentionFunctions& best = GetSimdFunctions().attention;
  if (attention.num_queries <= best.few_queries.most_queries && attention.keys.column == 1 &&
      attention.values.column == 1) {
    return best.few_queries;
  }
  // They fill a vector of AVX2, and half of one of AVX-512, which may take twice as long.
  constexpr std::int64_t kLanesOfAvx2 = 8;
  const SimdFunctions* narrower = FindSimdFunctions(InstructionSet::kAvx2);
  if (attention.num_queries <= kLanesOfAvx2 && narrower != nullptr) {
    return narrower->attention.many_queries;
  }
  return best.many_queries;
}

/// How many queries meet keys while these are in the cache, beside what is known of the queries: as
/// many as leave some rounds for each thread.
std::int64_t ChooseQueriesOfRound(const AttentionDescriptor& attention, int num_threads) {
  constexpr std::int64_t kMost = 256;
  constexpr std::int64_t kFewest = 16;
  constexpr std::int64_t kMostElements = std::int64_t{1} << 16;
  const std::int64_t wanted_rounds = std::int64_t{4} * num_threads;
  std::int64_t count = kMost;
  while (count > kFewest &&
         (count * (attention.depth + attention.width) > kMostElements ||
          CountBatches(attention) * DivideUp(attention.num_queries, count) < wanted_rounds)) {
    count /= 2;
  }
  return std::min(count, attention.num_queries);
}

std::int64_t FindOffset(const AttentionDescriptor& attention, const AttentionOperand& operand,
                        std::int64_t batch) {
  return operand.offset +
         FindBatchOffset(attention.num_batch_axes, attention.batch, operand.batch, batch);
}

StridedMatrix FindRows(const StridedMatrix& matrix, std::int64_t first) {
  return {matrix.begin + first * matrix.row_step, matrix.row_step, matrix.column_step};
}

/// The mask from an element on.
ScoreMask Advance(ScoreMask mask, std::int64_t offset) {
  const std::int64_t element_bytes = mask.kind == MaskKind::kAdded ? sizeof(float) : 1;
  mask.begin = static_cast<const unsigned char*>(mask.begin) + offset * element_bytes;
  return mask;
}

/// Behind queries, keys and values.
constexpr std::uint32_t kFirstMask = 3;

/// The matrices of one index of the batch.
struct AttentionHead {
  StridedMatrix queries;
  StridedMatrix keys;
  StridedMatrix values;
  ScoreMask masks[kMostMasks];
  float* results;
};

/// In each round, some queries of one head meet all keys.
class AttentionKernel : public Kernel {
 public:
  AttentionKernel(const AttentionDescriptor& attention, int num_threads)
      : attention_(attention),
        functions_(ChooseFunctions(attention)),
        num_threads_(num_threads),
        queries_of_round_(ChooseQueriesOfRound(attention, num_threads)),
        rounds_of_head_(DivideUp(attention.num_queries, queries_of_round_)),
        score_elements_(PadVector(functions_.most_queries * kMostBlockKeys)),
        block_elements_(PadVector(functions_.most_queries *
                                  (PadVector(attention.depth) + PadVector(attention.width) + 2))) {}

  std::uint64_t GetScratchBytes() const override {
    const int most_pieces = num_threads_ > 1 ? num_threads_ * kPiecesOfThread : 1;
    return static_cast<std::uint64_t>(most_pieces * GetRoundElements()) * sizeof(float);
  }

  void Run(const KernelRun& run) const override {
    const std::int64_t num_rounds = CountBatches(attention_) * rounds_of_head_;
    const auto run_rounds = [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
      float* scratch = run.GetScratch<float>() + piece * GetRoundElements();
      for (std::int64_t round = begin; round < end && !run.threads.AreStopped(); ++round) {
        RunRound(FindHead(run, round / rounds_of_head_),
                 round % rounds_of_head_ * queries_of_round_, scratch);
      }
    };
    ParallelForPieces(run.threads.AtMost(num_threads_), num_rounds, 1, run_rounds, kPiecesOfThread);
  }

 private:
  /// The scores of a block of queries and keys, then what is known of each block of queries.
  std::int64_t GetRoundElements() const {
    return score_elements_ + DivideUp(queries_of_round_, functions_.most_queries) * block_elements_;
  }

  AttentionHead FindHead(const KernelRun& run, std::int64_t batch) const {
    const auto find = [&](std::uint32_t input, const AttentionOperand& operand) {
      const float* begin = run.Input<float>(input) + FindOffset(attention_, operand, batch);
      return StridedMatrix{begin, operand.row, operand.column};
    };
    AttentionHead head;
    head.queries = find(0, attention_.queries);
    head.keys = find(1, attention_.keys);
    head.values = find(2, attention_.values);
    head.results = run.Output<float>() + FindOffset(attention_, attention_.result, batch);
    for (std::uint32_t index = 0; index < kMostMasks; ++index) {
      head.masks[index] = FindMask(run, index, batch);
    }
    return head;
  }

  ScoreMask FindMask(const KernelRun& run, std::uint32_t index, std::int64_t batch) const {
    const AttentionMask& mask = attention_.masks[index];
    if (mask.kind == MaskKind::kNone) return {};
    const ScoreMask whole = {mask.kind, mask.fill, run.inputs[kFirstMask + index], mask.operand.row,
                             mask.operand.column};
    return Advance(whole, FindOffset(attention_, mask.operand, batch));
  }

  QueryBlock MakeBlock(std::int64_t num_queries, float* scores, float* memory) const {
    const std::int64_t most = functions_.most_queries;
    QueryBlock block;
    block.num_queries = std::min(num_queries, most);
    block.depth = attention_.depth;
    block.width = attention_.width;
    block.scores = scores;
    block.queries = memory;
    block.sums = block.queries + most * PadVector(attention_.depth);
    block.greatest = block.sums + most * PadVector(attention_.width);
    block.totals = block.greatest + most;
    return block;
  }

  /// Calls `body(block, query)` for the blocks of a round, with the first query of each.
  template <typename Body>
  void ForBlocks(std::int64_t first_query, float* scratch, const Body& body) const {
    const std::int64_t end = std::min(first_query + queries_of_round_, attention_.num_queries);
    float* memory = scratch + score_elements_;
    for (std::int64_t query = first_query; query < end; query += functions_.most_queries) {
      body(MakeBlock(end - query, scratch, memory), query);
      memory += block_elements_;
    }
  }

  /// The results of queries that have no probabilities: a score is NaN, or all hide their keys.
  void ReplaceNan(const QueryBlock& block, float* results) const {
    for (std::int64_t query = 0; query < block.num_queries; ++query) {
      if (block.totals[query] > 0.0F) continue;
      float* row = results + query * attention_.result.row;
      for (std::int64_t i = 0; i < attention_.width; ++i) row[i * attention_.result.column] = 0.0F;
    }
  }

  void RunRound(const AttentionHead& head, std::int64_t first_query, float* scratch) const {
    ForBlocks(first_query, scratch, [&](const QueryBlock& block, std::int64_t query) {
      functions_.load_queries(FindRows(head.queries, query), attention_.scale, block);
    });
    for (std::int64_t key = 0; key < attention_.num_keys; key += kMostBlockKeys) {
      KeyBlock keys;
      keys.are_first = key == 0;
      keys.num_keys = std::min(kMostBlockKeys, attention_.num_keys - key);
      keys.keys = FindRows(head.keys, key);
      keys.values = FindRows(head.values, key);
      ForBlocks(first_query, scratch, [&](const QueryBlock& block, std::int64_t query) {
        for (int index = 0; index < kMostMasks; ++index) {
          const ScoreMask& mask = head.masks[index];
          keys.masks[index] = Advance(mask, query * mask.row_step + key * mask.column_step);
        }
        functions_.add_keys(keys, block);
      });
    }
    const AttentionOperand& result = attention_.result;
    ForBlocks(first_query, scratch, [&](const QueryBlock& block, std::int64_t query) {
      float* results = head.results + query * result.row;
      functions_.store_results(block, results, result.row, result.column);
      if (attention_.replaces_nan != 0) ReplaceNan(block, results);
    });
  }

  const AttentionDescriptor attention_;
  const BlockFunctions& functions_;
  const int num_threads_;
  const std::int64_t queries_of_round_;
  const std::int64_t rounds_of_head_;
  const std::int64_t score_elements_;
  const std::int64_t block_elements_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeAttention(KernelMaker& maker) {
  maker.WantAllPlain();
  return std::make_unique<AttentionKernel>(maker.GetNode().GetDescriptor<AttentionDescriptor>(),
                                           maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
