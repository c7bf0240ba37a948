#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Multiplies the last two axes as matrices. An operand of rank 1 counts as a row (first operand)
/// or a column (second operand), and that axis is absent from the result.
struct BatchMatMulDescriptor : Descriptor<BatchMatMulDescriptor> {
  std::uint32_t transpose_a = 0;  // 1: the last two axes of the first operand are exchanged
  std::uint32_t transpose_b = 0;  // 1: the last two axes of the second operand are exchanged
};
BACKPLANE_CHECK_DESCRIPTOR(BatchMatMulDescriptor, transpose_b);

}  // namespace backplane
