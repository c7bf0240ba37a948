#pragma once

/// Attention by its formula, and models of one operator of com.microsoft.

#include "model_builder.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace backplane::onnx::test {

using Reals = std::vector<float>;

/// Queries are [batch, queries, heads * width], keys and values [batch, keys, groups * width].
struct AttentionSizes {
  std::int64_t batch = 2;
  std::int64_t heads = 2;
  std::int64_t groups = 2;
  std::int64_t queries = 3;
  std::int64_t keys = 3;
  std::int64_t width = 4;
};

/// Which score it is.
struct ScorePlace {
  std::int64_t batch;
  std::int64_t head;
  std::int64_t query;
  std::int64_t key;
};

/// A score as it goes into the exponential, from the scaled product of a query and a key.
using ChangeScore = std::function<double(const ScorePlace&, double)>;

/// For each query the sum of the values by the softmax of the scores. `scale` 0: by the square root
/// of the width. `has_sink`: one more score of 0.
Reals Attend(const AttentionSizes& sizes, const Reals& queries, const Reals& keys,
             const Reals& values, const ChangeScore& change = {}, double scale = 0.0,
             bool has_sink = false);

/// So many numbers between -1 and 1, others for each seed.
Reals MakeReals(std::int64_t count, int seed);

/// [batch, rows, heads * width] as [batch, heads, rows, width].
Reals ToHeads(const Reals& rows, std::int64_t batch, std::int64_t heads, std::int64_t width);

/// A model that may use com.microsoft.
ModelBuilder MakeMicrosoftModel();

void AddInt32s(ModelBuilder& model, const std::string& name, const Dims& dims,
               const std::vector<std::int32_t>& values);

void ExpectNearReals(const Reals& found, const Reals& expected, double tolerance = 1e-4);

}  // namespace backplane::onnx::test
