#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"
#include "conformance/matrix_oracle.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

namespace backplane {
namespace conformance {
namespace batch_mat_mul {

std::vector<LayerCase> MakeCases(Random& random) {
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_a = random.Word(0, 1);
  descriptor.transpose_b = random.Word(0, 1);
  const TensorShape output = random.Shape(3, 1, 6);
  const std::int64_t inner = random.Integer(1, 40);
  TensorShape a = {output[0], output[1], inner};
  TensorShape b = {inner, output[2]};
  if (descriptor.transpose_a == 1) std::swap(a[1], a[2]);
  if (descriptor.transpose_b == 1) std::swap(b[0], b[1]);
  return {MakeCase(LayerType::kBatchMatMul, descriptor, {a, b}, output)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<BatchMatMulDescriptor>();
  return Multiply(inputs[0], inputs[1], at, descriptor.transpose_a, descriptor.transpose_b);
}

LayerCase Describe(std::uint32_t transpose_a, std::uint32_t transpose_b, const TensorShape& a,
                   const TensorShape& b, const TensorShape& output) {
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_a = transpose_a;
  descriptor.transpose_b = transpose_b;
  return MakeCase(LayerType::kBatchMatMul, descriptor, {a, b}, output);
}

/// One row whose blocks lose nothing by being rounded, each with a scale of its own.
EdgeCase MakeRounded() {
  BatchMatMulDescriptor descriptor;
  descriptor.rounded_block = 3;
  return {MakeCase(LayerType::kBatchMatMul, descriptor, {{1, 5}, {5, 2}}, {1, 2}),
          {{127, -5, 3, 254, -2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
          {{1887, 2264}}};
}

/// Matrices of a batch, which lie transposed or not.
TensorShape MakeMatrices(TensorShape batch, std::int64_t rows, std::int64_t columns,
                         std::uint32_t transpose) {
  batch.Append(transpose == 1 ? columns : rows);
  batch.Append(transpose == 1 ? rows : columns);
  return batch;
}

/// The last axes of a shape, some of them 1.
TensorShape MakeBroadcastable(const TensorShape& full, Random& random) {
  TensorShape shape;
  for (std::uint32_t axis = random.Word(0, full.rank); axis < full.rank; ++axis) {
    shape.Append(random.Integer(0, 2) == 0 ? 1 : full[axis]);
  }
  return shape;
}

EdgeCase MakeBatches(Random& random) {
  const TensorShape full = random.Shape(random.Word(0, kMaxRank - 2), 1, 3);
  const TensorShape a = MakeBroadcastable(full, random);
  const TensorShape b = MakeBroadcastable(full, random);
  TensorShape output;
  for (std::uint32_t i = std::max(a.rank, b.rank); i-- > 0;) {
    const std::int64_t extent_a = i < a.rank ? a[a.rank - 1 - i] : 1;
    const std::int64_t extent_b = i < b.rank ? b[b.rank - 1 - i] : 1;
    output.Append(std::max(extent_a, extent_b));
  }
  const std::int64_t rows = random.Integer(1, 5);
  const std::int64_t inner = random.Integer(1, 9);
  const std::int64_t columns = random.Integer(1, 5);
  const std::uint32_t transpose_a = random.Word(0, 1);
  const std::uint32_t transpose_b = random.Word(0, 1);
  return {Describe(transpose_a, transpose_b, MakeMatrices(a, rows, inner, transpose_a),
                   MakeMatrices(b, inner, columns, transpose_b),
                   MakeMatrices(output, rows, columns, 0))};
}

std::vector<EdgeCase> MakeEdges() {
  const Elements eight = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<EdgeCase> edges = {
      // Operands of rank 1 are a row or a column, and have no axis in the output.
      {Describe(0, 0, {2}, {2, 2, 3}, {2, 3}),
       {{1, 10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
       {{41, 52, 63, 107, 118, 129}}},
      {Describe(0, 0, {2, 2, 2}, {2}, {2, 2}), {eight, {1, 10}}, {{21, 43, 65, 87}}},
      {Describe(1, 0, {2, 2, 2}, {2}, {2, 2}), {eight, {1, 10}}, {{31, 42, 75, 86}}},
      {Describe(0, 0, {3}, {3}, {}), {{1, 2, 3}, {4, 5, 6}}, {{32}}},
      {Describe(0, 0, {2, 2, 0}, {0, 3}, {2, 2, 3}), {{}, {}}, {Elements(12)}},
      {Describe(0, 0, {0, 2, 2}, {1, 2, 3}, {0, 2, 3}), {{}, Elements(6)}, {{}}},
      // 0 times NaN is NaN.
      {Describe(0, 0, {1, 1}, {1, 2}, {1, 2}), {{0}, {kNaN, 1}}, {{kNaN, 0}}},
      MakeRounded(),
  };
  // More than are gone through at once, however they lie.
  for (const std::uint32_t transposes : {0U, 1U, 2U, 3U}) {
    const std::uint32_t a = transposes / 2;
    const std::uint32_t b = transposes % 2;
    edges.push_back({WithWhole(
        Describe(a, b, MakeMatrices({}, 5, 70, a), MakeMatrices({}, 70, 300, b), {5, 300}))});
  }
  Random random(2);
  for (int round = 0; round < 30; ++round) edges.push_back(MakeBatches(random));
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Describe(0, 1, {2, 3}, {3, 4}, {2, 3}), "wrong-shape", "3 columns and 4 rows",
       "as many columns as rows",
       "the matrices of input 0 have 3 columns, but those of input 1 4 rows; both must be equal"},
      {Describe(0, 0, {2, 5, 1, 1}, {3, 1, 1}, {2, 5, 1, 1}), "wrong-shape",
       "[2, 5, 1, 1] and [3, 1, 1]", "equal or 1",
       "the leading axes [2, 5] of input 0 and [3] of input 1 do not broadcast"},
      {Describe(0, 0, {}, {3}, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "input 0 has rank 0, but must have rank 1 to 8"},
      {Describe(0, 1, {3}, {3}, {}), "wrong-rank", "float32 [3] as input 1", "rank 2 or more",
       "transpose_b is 1, but input 1 has rank 1; only operands of rank 2 and more can be "
       "transposed"},
      {Describe(2, 0, {1, 1}, {1, 1}, {1, 1}), "invalid-descriptor", "found 2", "0 or 1",
       "transpose_a is 2, but must be 0 or 1"},
      {Describe(0, 3, {1, 1}, {1, 1}, {1, 1}), "invalid-descriptor", "found 3", "0 or 1",
       "transpose_b is 3, but must be 0 or 1"},
      {With(Describe(0, 0, {1, 1}, {1, 1}, {1, 1}), {MakeOwn(1, DataType::kInt8)}),
       "wrong-data-type", "int8 [1, 1] as input 1", "float32",
       "data type int8 of input 1 differs from float32 of input 0"},
  };
}

}  // namespace batch_mat_mul

BACKPLANE_ELEMENT_ORACLE(BatchMatMul, batch_mat_mul, PlainTypes::kNumbers,
                         QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace conformance
}  // namespace backplane
