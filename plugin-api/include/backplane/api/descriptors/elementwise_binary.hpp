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
  kMaximum = 5,
  kMinimum = 6,
};

struct ElementwiseBinaryDescriptor : Descriptor<ElementwiseBinaryDescriptor> {
  BinaryOperation operation = BinaryOperation::kAdd;
};
BACKPLANE_CHECK_DESCRIPTOR(ElementwiseBinaryDescriptor, operation);

}  // namespace backplane
