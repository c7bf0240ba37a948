#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <functional>

namespace backplane {
namespace conformance {
namespace determinant {

template <typename Number>
using Matrix = std::function<Number(std::int64_t row, std::int64_t column)>;

/// By expansion along the first row.
template <typename Number>
Number Expand(std::int64_t size, const Matrix<Number>& at) {
  if (size == 0) return Number{1};
  Number sum{};
  for (std::int64_t column = 0; column < size; ++column) {
    const Number minor = Expand<Number>(size - 1, [&](std::int64_t row, std::int64_t j) {
      return at(row + 1, j < column ? j : j + 1);
    });
    sum += (column % 2 == 0 ? at(0, column) : Number{} - at(0, column)) * minor;
  }
  return sum;
}

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape stack = random.Shape(random.Word(0, 2), 1, 3);
  TensorShape matrices = stack;
  const std::int64_t size = random.Integer(1, 3);
  matrices.Append(size);
  matrices.Append(size);
  return {MakeCase(LayerType::kDeterminant, NoDescriptor(), {matrices}, stack)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& stack) {
    const TensorShape& matrices = inputs[0].shape;
    const auto size = matrices[matrices.rank - 1];
    return Expand<Number>(size, [&](std::int64_t row, std::int64_t column) {
      Indices indices = stack;
      indices.insert(indices.end(), {row, column});
      return inputs[0].At(indices);
    });
  });
}

LayerCase Describe(const TensorShape& matrices, const TensorShape& output) {
  return MakeCase(LayerType::kDeterminant, NoDescriptor(), {matrices}, output);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Describe({2, 2}, {}), {{0, 1, 1, 0}}, {{-1}}},
      {Describe({3, 3}, {}), {{0, 1, 0, 0, 0, 1, 1, 0, 0}}, {{1}}},
      {Describe({4, 4}, {}), {{0, 0, 0, 2, 0, 0, 3, 0, 0, 5, 0, 0, 7, 0, 0, 0}}, {{210}}},
      // Of nothing it is 1.
      {Describe({2, 0, 0}, {2}), {{}}, {{1, 1}}},
      {Describe({0, 2, 2}, {0}), {{}}, {{}}},
      {Describe({2, 1, 2, 2}, {2, 1}), {{1, 2, 3, 4, 2, 0, 0, 3}}, {{-2, 6}}},
      {Describe({3, 1, 1}, {3}), {{5, -6, 0}}, {{5, -6, 0}}},
      {Describe({3, 3}, {}), {{1, 2, 3, 0, 0, 0, 4, 5, 6}}, {{0}}},
      {Describe({2, 2}, {}), {{0, 2, 0, 3}}, {{0}}},
      // Without the exchange of rows, 1e-30 would swallow the rest.
      {Describe({2, 2}, {}), {{1e-30L, 1, 1, 1}}, {{-1}}},
      {Describe({2, 2}, {}), {{1, 2, kNaN, 4}}, {{kNaN}}},
      {Describe({2, 2}, {}), {{0, 0, kNaN, 4}}, {{kNaN}}},
      {Describe({2, 2}, {}), {{kInfinity, 0, 0, -1}}, {{-kInfinity}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const char* const square = ", but must have square matrices in its last two axes";
  return {
      {Describe({2, 3, 4}, {2}), "wrong-shape", "extent 4 at axis 2", "expected 3",
       std::string("input 0 has shape [2, 3, 4]") + square},
      {Describe({3}, {}), "wrong-rank", "float32 [3]", "rank 2 or more",
       std::string("input 0 has shape [3]") + square},
      {As(DataType::kInt32, Describe({2, 2}, {})), "wrong-data-type", "int32 [2, 2]", "float32",
       RefuseType(DataType::kInt32, kOnlyFloats)},
  };
}

}  // namespace determinant

BACKPLANE_ORACLE(Determinant, determinant, PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
