#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused. Abs, Negate and Sign are defined on all numbers, BitwiseNot on
/// integers, LogicalNot on bool, the others on floating point. Integers wrap around.
enum class UnaryOperation : std::uint32_t {
  kAbs = 1,
  kNegate = 2,
  kSign = 3,  // -1, 0 or 1; of NaN, NaN
  kSqrt = 4,
  kReciprocal = 5,
  kExp = 6,
  kLog = 7,
  kSin = 8,
  kCos = 9,
  kTan = 10,
  kAsin = 11,
  kAcos = 12,
  kAtan = 13,
  kSinh = 14,
  kCosh = 15,
  kAsinh = 16,
  kAcosh = 17,
  kAtanh = 18,
  kErf = 19,
  kCeil = 20,
  kFloor = 21,
  kRound = 22,  // to the nearest integer, of two the even one
  kBitwiseNot = 23,
  kLogicalNot = 24,
};

struct ElementwiseUnaryDescriptor : Descriptor<ElementwiseUnaryDescriptor> {
  UnaryOperation operation = UnaryOperation::kAbs;
};
BACKPLANE_CHECK_DESCRIPTOR(ElementwiseUnaryDescriptor, operation);

}  // namespace backplane
