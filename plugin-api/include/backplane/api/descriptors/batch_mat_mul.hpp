#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Multiplies the last two axes as matrices. An operand of rank 1 counts as a row (first operand)
/// or a column (second operand), and that axis is absent from the result.
///
/// With a rounded_block, a backend may multiply float32 that is less exact: each row of the first
/// operand in blocks of so many elements (the last may have fewer), each rounded to int8 by a scale
/// of its own, the block's greatest magnitude divided by 127.
struct BatchMatMulDescriptor : Descriptor<BatchMatMulDescriptor> {
  std::uint32_t transpose_a = 0;    // 1: the last two axes of the first operand are exchanged
  std::uint32_t transpose_b = 0;    // 1: the last two axes of the second operand are exchanged
  std::uint32_t rounded_block = 0;  // elements of a block that may be rounded; 0: none may be
};
BACKPLANE_CHECK_DESCRIPTOR(BatchMatMulDescriptor, rounded_block);

}  // namespace backplane
