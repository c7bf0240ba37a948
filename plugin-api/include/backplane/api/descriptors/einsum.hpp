#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The most operands of one einsum.
constexpr std::uint32_t kMaxEinsumOperands = 16;
/// The longest equation, with the zero that ends it.
constexpr std::uint32_t kMaxEinsumEquation = 256;

/// Einstein's summation: `bij,bjk->bik`. Each letter, a to z or A to Z, is an index; the term of an
/// operand has one for each of its axes, and `...` stands for all axes that have none. The elements
/// of the operands at the same indices are multiplied, and summed over the indices that the output,
/// behind `->`, does not have. A letter that is twice in one term takes the diagonal. Without `->`,
/// the output has the axes of `...` and then, in the order of the letters in ASCII, those that are
/// in all terms together once. Extents of 1 broadcast. Spaces do not count.
///
/// <backplane/api/einsum_equation.hpp> takes an equation apart.
struct EinsumDescriptor : Descriptor<EinsumDescriptor> {
  char equation[kMaxEinsumEquation] = {};  // ends with a zero
};
BACKPLANE_CHECK_DESCRIPTOR(EinsumDescriptor, equation);

}  // namespace backplane
