#include "memory/aligned_memory.hpp"
#include "simd/simd.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::BlockFunctions;
using cpuacc::InstructionSet;
using cpuacc::MaskKind;

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// One head with numbers of its own, and attention to it in double.
struct Head {
  Head(std::int64_t queries, std::int64_t keys, std::int64_t depth_of_head,
       std::int64_t width_of_head, MaskKind kind)
      : num_queries(queries),
        num_keys(keys),
        depth(depth_of_head),
        width(width_of_head),
        mask_kind(kind) {
    Fill(query_rows, queries * depth);
    Fill(key_rows, keys * depth);
    Fill(value_rows, keys * width);
    Fill(added, queries * keys);
    conditions.resize(added.size());
    for (std::size_t i = 0; i < added.size(); ++i) {
      conditions[i] = random.Integer(0, 2) == 0 ? 1 : 0;
      if (random.Integer(0, 4) == 0) added[i] = kLowest;
    }
  }

  void Fill(std::vector<float>& numbers, std::int64_t count) {
    numbers.resize(static_cast<std::size_t>(count));
    for (float& number : numbers) {
      number = static_cast<float>(random.Integer(-1000, 1000)) * 0.002F;
    }
  }

  /// Beside a very low number a score is lost, as float32 has no room for it.
  static double AddMaskOf(double score, float mask) {
    return static_cast<double>(static_cast<float>(score + static_cast<double>(mask)));
  }

  double FindScore(std::int64_t query, std::int64_t key) const {
    double score = 0.0;
    for (std::int64_t d = 0; d < depth; ++d) {
      score += static_cast<double>(query_rows[static_cast<std::size_t>(query * depth + d)]) *
               static_cast<double>(key_rows[static_cast<std::size_t>(key * depth + d)]);
    }
    score *= static_cast<double>(scale);
    const auto at = static_cast<std::size_t>(query * num_keys + key);
    if (mask_kind == MaskKind::kAdded) return AddMaskOf(score, added[at]);
    const bool fills = (mask_kind == MaskKind::kKept && conditions[at] == 0) ||
                       (mask_kind == MaskKind::kFilled && conditions[at] != 0);
    return fills ? static_cast<double>(fill) : score;
  }

  std::vector<double> FindResults() const {
    std::vector<double> results;
    for (std::int64_t query = 0; query < num_queries; ++query) {
      std::vector<double> scores;
      for (std::int64_t key = 0; key < num_keys; ++key) scores.push_back(FindScore(query, key));
      const double greatest = *std::max_element(scores.begin(), scores.end());
      double total = 0.0;
      for (double& score : scores) total += score = std::exp(score - greatest);
      for (std::int64_t i = 0; i < width; ++i) {
        double sum = 0.0;
        for (std::int64_t key = 0; key < num_keys; ++key) {
          sum += scores[static_cast<std::size_t>(key)] *
                 static_cast<double>(value_rows[static_cast<std::size_t>(key * width + i)]);
        }
        results.push_back(sum / total);
      }
    }
    return results;
  }

  Random random{7};
  std::int64_t num_queries;
  std::int64_t num_keys;
  std::int64_t depth;
  std::int64_t width;
  MaskKind mask_kind;
  float scale = 0.3F;
  float fill = -2.0F;
  std::vector<float> query_rows;
  std::vector<float> key_rows;
  std::vector<float> value_rows;
  std::vector<float> added;
  std::vector<unsigned char> conditions;
};

std::shared_ptr<float> AllocateFloats(std::int64_t count) {
  const auto bytes = static_cast<std::uint64_t>(count) * sizeof(float);
  return std::static_pointer_cast<float>(cpuacc::AllocateAligned(bytes));
}

/// As many queries at a time as the functions take.
std::vector<float> RunHead(const BlockFunctions& functions, const Head& head) {
  const std::int64_t most = functions.most_queries;
  const auto queries = AllocateFloats(most * cpuacc::PadVector(head.depth));
  const auto scores = AllocateFloats(most * cpuacc::kMostBlockKeys);
  const auto sums = AllocateFloats(most * cpuacc::PadVector(head.width));
  const auto greatest = AllocateFloats(most);
  const auto totals = AllocateFloats(most);
  std::vector<float> results(static_cast<std::size_t>(head.num_queries * head.width), 77.0F);
  for (std::int64_t query = 0; query < head.num_queries; query += most) {
    cpuacc::QueryBlock block;
    block.num_queries = std::min(most, head.num_queries - query);
    block.depth = head.depth;
    block.width = head.width;
    block.queries = queries.get();
    block.scores = scores.get();
    block.sums = sums.get();
    block.greatest = greatest.get();
    block.totals = totals.get();
    functions.load_queries({head.query_rows.data() + query * head.depth, head.depth, 1}, head.scale,
                           block);
    for (std::int64_t key = 0; key < head.num_keys; key += cpuacc::kMostBlockKeys) {
      cpuacc::KeyBlock keys;
      keys.are_first = key == 0;
      keys.num_keys = std::min(cpuacc::kMostBlockKeys, head.num_keys - key);
      keys.keys = {head.key_rows.data() + key * head.depth, head.depth, 1};
      keys.values = {head.value_rows.data() + key * head.width, head.width, 1};
      const std::int64_t at = query * head.num_keys + key;
      keys.masks[0].kind = head.mask_kind;
      keys.masks[0].fill = head.fill;
      keys.masks[0].row_step = head.num_keys;
      keys.masks[0].column_step = 1;
      keys.masks[0].begin = head.conditions.data() + at;
      if (head.mask_kind == MaskKind::kAdded) keys.masks[0].begin = head.added.data() + at;
      functions.add_keys(keys, block);
    }
    functions.store_results(block, results.data() + query * head.width, head.width, 1);
  }
  return results;
}

void ExpectIsAttention(const BlockFunctions& functions, const Head& head) {
  SCOPED_TRACE(std::to_string(head.num_queries) + " queries, " + std::to_string(head.num_keys) +
               " keys of " + std::to_string(head.depth) + ", values of " +
               std::to_string(head.width) + ", mask " +
               std::to_string(static_cast<int>(head.mask_kind)));
  const std::vector<float> found = RunHead(functions, head);
  const std::vector<double> expected = head.FindResults();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])) {
      ASSERT_TRUE(std::isnan(found[i])) << "element " << i;
    } else {
      ASSERT_NEAR(static_cast<double>(found[i]), expected[i], 2.0e-5) << "element " << i;
    }
  }
}

class AttentionFunctionsOf : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (functions_ == nullptr) GTEST_SKIP() << "this processor has no such instructions";
  }

  void ExpectIsAttentionInEveryWay(const Head& head) const {
    ExpectIsAttention(functions_->attention.many_queries, head);
    ExpectIsAttention(functions_->attention.few_queries, head);
  }

  const cpuacc::SimdFunctions* functions_ = cpuacc::FindSimdFunctions(GetParam());
};

TEST_P(AttentionFunctionsOf, ComputeAnySize) {
  for (const std::int64_t num_queries : {1, 5, 16, 37, 64, 71}) {
    for (const std::int64_t num_keys : {1, 7, 64, 65, 200}) {
      ExpectIsAttentionInEveryWay({num_queries, num_keys, 40, 24, MaskKind::kNone});
    }
  }
}

TEST_P(AttentionFunctionsOf, ComputeAnyDepthAndWidth) {
  for (const std::int64_t depth : {1, 3, 16, 33, 80}) {
    for (const std::int64_t width : {1, 4, 15, 64, 129, 150}) {
      ExpectIsAttentionInEveryWay({19, 70, depth, width, MaskKind::kNone});
    }
  }
}

TEST_P(AttentionFunctionsOf, ApplyMasks) {
  for (const MaskKind kind : {MaskKind::kAdded, MaskKind::kKept, MaskKind::kFilled}) {
    for (const std::int64_t num_queries : {1, 16, 70}) {
      for (const std::int64_t num_keys : {3, 64, 130}) {
        ExpectIsAttentionInEveryWay({num_queries, num_keys, 8, 12, kind});
      }
    }
  }
}

TEST_P(AttentionFunctionsOf, GiveNanWhereAllKeysAreHidden) {
  constexpr std::int64_t kKeys = 150;
  constexpr std::size_t kWidth = 12;
  Head head(20, kKeys, 8, kWidth, MaskKind::kAdded);
  std::fill_n(head.added.begin() + 3 * kKeys, kKeys, kLowest);
  // All of the first block, and not of the others.
  std::fill_n(head.added.begin() + 5 * kKeys, 70, kLowest);
  ExpectIsAttentionInEveryWay(head);
  EXPECT_TRUE(std::isnan(head.FindResults()[3 * kWidth]));
  EXPECT_FALSE(std::isnan(head.FindResults()[5 * kWidth]));
}

TEST_P(AttentionFunctionsOf, ShareAlikeWhereAllKeysHaveVeryLowMasks) {
  constexpr std::size_t kKeys = 150;
  for (const float mask : {-1.0e10F, -1.0e30F, std::numeric_limits<float>::lowest()}) {
    Head head(20, kKeys, 8, 12, MaskKind::kAdded);
    std::fill_n(head.added.begin() + 3 * kKeys, kKeys, mask);
    // All of the first block, and not of the others.
    std::fill_n(head.added.begin() + 5 * kKeys, 70, mask);
    ExpectIsAttentionInEveryWay(head);
  }
}

TEST_P(AttentionFunctionsOf, BearScoresThatGrowWithoutEnd) {
  Head head(20, 150, 1, 12, MaskKind::kNone);
  std::sort(head.key_rows.begin(), head.key_rows.end());
  head.scale = 1.0e30F;
  ExpectIsAttentionInEveryWay(head);
}

INSTANTIATE_TEST_SUITE_P(Attention, AttentionFunctionsOf,
                         testing::Values(InstructionSet::kBaseline, InstructionSet::kAvx2,
                                         InstructionSet::kAvx512));

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
