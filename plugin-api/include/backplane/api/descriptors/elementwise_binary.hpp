#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused.
enum class BinaryOperation : std::uint32_t {
  kAdd = 1,
  kSub = 2,
  kMul = 3,
  kDiv = 4,
  kMaximum = 5,             // of a number and NaN, NaN
  kMinimum = 6,             // likewise
  kPower = 7,               // input 0 raised to input 1
  kModulo = 8,              // what is left of a division, with the sign of the divisor
  kRemainder = 9,           // what is left of a division, with the sign of the dividend
  kSquaredDifference = 10,  // (a - b) * (a - b)
};

/// Integers wrap around. Divided by 0 they give 0, and so does what is left of the division; an
/// integer raised to a negative one is the result rounded towards zero, and 0 for a base of 0.
struct ElementwiseBinaryDescriptor : Descriptor<ElementwiseBinaryDescriptor> {
  BinaryOperation operation = BinaryOperation::kAdd;
};
BACKPLANE_CHECK_DESCRIPTOR(ElementwiseBinaryDescriptor, operation);

}  // namespace backplane
