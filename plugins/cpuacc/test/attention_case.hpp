#pragma once

/// Attention as networks write it.

#include "test/passes/pass_case.hpp"

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {

/// a times b, or b with its last two axes exchanged.
TensorId AddProduct(NetworkCase& network, TensorId a, TensorId b, std::uint32_t transpose_b);

/// Along the last axis.
TensorId AddSoftmax(NetworkCase& network, TensorId scores, float beta = 1.0F);

/// One of a and b may be a scalar.
TensorId AddWhere(NetworkCase& network, TensorId condition, TensorId a, TensorId b);

/// `replacement` where an element of `tested` is NaN, and else `kept`.
TensorId ReplaceNan(NetworkCase& network, TensorId tested, TensorId kept, float replacement = 0.0F);

/// Queries, keys and values of as many heads as there are.
struct Heads {
  TensorId queries;
  TensorId keys;
  TensorId values;
};

Heads AddHeads(NetworkCase& network, const TensorShape& batch, std::int64_t num_queries,
               std::int64_t num_keys, std::int64_t width);

/// The scores with a scale.
TensorId AddScores(NetworkCase& network, const Heads& heads, float scale = 0.25F);

/// The Softmax of the scores, and the product with the values, which is the output.
void FinishAttention(NetworkCase& network, const Heads& heads, TensorId scores);

/// Expects that nothing but attention is left, and the results of CpuRef.
void ExpectIsMerged(NetworkCase& network);

}  // namespace cpuacc_test
}  // namespace backplane
