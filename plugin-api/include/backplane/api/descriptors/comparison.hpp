#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused. Of bool only equality is defined. NaN is unequal to everything, and
/// neither greater nor less. Quantized elements are compared by the real numbers that they stand
/// for.
enum class ComparisonOperation : std::uint32_t {
  kEqual = 1,
  kNotEqual = 2,
  kGreater = 3,
  kGreaterOrEqual = 4,
  kLess = 5,
  kLessOrEqual = 6,
};

struct ComparisonDescriptor : Descriptor<ComparisonDescriptor> {
  ComparisonOperation operation = ComparisonOperation::kEqual;
};
BACKPLANE_CHECK_DESCRIPTOR(ComparisonDescriptor, operation);

}  // namespace backplane
