#include "test/layer_case.hpp"

#include <functional>

namespace backplane {
namespace cpuref_test {
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

}  // namespace determinant

CPUREF_ORACLE(Determinant, determinant, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
