#pragma once

/// The binary operations on numbers, one by one.

#include "cpu_layers/arithmetic.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <type_traits>

namespace backplane {
namespace cpu_layers {

template <typename Number>
Number SquareDifference(Number a, Number b) {
  const Number difference = Subtract(a, b);
  return Multiply(difference, difference);
}

/// Calls visit(function), where function(a, b) is the operation on float, double, int64_t or
/// uint64_t, and decltype(function)::value its address. Not at all for what is none of them.
template <typename Number, typename Visit>
void VisitBinaryOperation(BinaryOperation operation, const Visit& visit) {
  using Function = Number (*)(Number, Number);
  switch (operation) {
#define BACKPLANE_BINARY(name, function) \
  case BinaryOperation::k##name:         \
    return visit(std::integral_constant<Function, &function<Number>>());
    BACKPLANE_BINARY(Add, Add)
    BACKPLANE_BINARY(Sub, Subtract)
    BACKPLANE_BINARY(Mul, Multiply)
    BACKPLANE_BINARY(Div, Divide)
    BACKPLANE_BINARY(Maximum, GetMaximum)
    BACKPLANE_BINARY(Minimum, GetMinimum)
    BACKPLANE_BINARY(Power, RaiseToPower)
    BACKPLANE_BINARY(Modulo, GetModulo)
    BACKPLANE_BINARY(Remainder, GetRemainder)
    BACKPLANE_BINARY(SquaredDifference, SquareDifference)
#undef BACKPLANE_BINARY
  }
}

}  // namespace cpu_layers
}  // namespace backplane
