#pragma once

/// One element of a matrix product, written the obvious way.

#include "conformance/layer_case.hpp"

namespace backplane {
namespace conformance {

/// Matrices of rank 2 and more, with leading axes that broadcast.
template <typename Number>
Number Multiply(const NumberTensor<Number>& a, const NumberTensor<Number>& b,
                const Indices& position, std::uint32_t transpose_a, std::uint32_t transpose_b) {
  const std::int64_t inner = a.shape[a.shape.rank - (transpose_a == 1 ? 2 : 1)];
  const std::size_t rank = position.size();
  const auto read = [rank](const NumberTensor<Number>& operand, Indices at) {
    const std::size_t missing = rank - operand.shape.rank;
    for (std::size_t axis = 0; axis + 2 < operand.shape.rank; ++axis) {
      if (operand.shape[static_cast<std::uint32_t>(axis)] == 1) at[missing + axis] = 0;
    }
    return operand.At(Indices(at.begin() + static_cast<std::ptrdiff_t>(missing), at.end()));
  };
  Number sum{};
  for (std::int64_t k = 0; k < inner; ++k) {
    Indices at_a = position;
    Indices at_b = position;
    at_a[rank - 1] = k;
    at_b[rank - 2] = k;
    if (transpose_a == 1) std::swap(at_a[rank - 1], at_a[rank - 2]);
    if (transpose_b == 1) std::swap(at_b[rank - 1], at_b[rank - 2]);
    sum += read(a, at_a) * read(b, at_b);
  }
  return sum;
}

/// The same of inputs 0 and 1, with input 2, where there is one, as the bias.
template <typename Number>
Number MultiplyWithBias(const Operands<Number>& inputs, const Indices& position,
                        std::uint32_t transpose_b) {
  const Number product = Multiply(inputs[0], inputs[1], position, 0, transpose_b);
  return inputs.size() == 3 ? product + inputs[2].At({position[1]}) : product;
}

}  // namespace conformance
}  // namespace backplane
