#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused. A shift by the width of the type or more moves every bit out; the
/// amount, input 1, counts as unsigned, so that a negative one does so too. To the right, copies of
/// the sign come in: a signed integer becomes 0 or -1 in the end.
enum class BitwiseOperation : std::uint32_t {
  kAnd = 1,
  kOr = 2,
  kXor = 3,
  kShiftLeft = 4,
  kShiftRight = 5,
};

struct BitwiseBinaryDescriptor : Descriptor<BitwiseBinaryDescriptor> {
  BitwiseOperation operation = BitwiseOperation::kAnd;
};
BACKPLANE_CHECK_DESCRIPTOR(BitwiseBinaryDescriptor, operation);

}  // namespace backplane
