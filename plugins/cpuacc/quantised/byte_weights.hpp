#pragma once

/// Products of rows of float32 with a constant matrix that is quantised in bytes: it is read as it
/// is stored, because reading it is what takes few rows time.

#include "kernel_builders/kernel_maker.hpp"

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// How the bytes of such a matrix lie, which may have more than one scale for each column: one for
/// each block of as many elements.
struct ByteMatrixShape {
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  std::int64_t block = 0;
  bool is_transposed = false;  // [columns, inner]
};

/// Of a tensor with one scale, or with one for each index of an axis: the columns, or, of
/// [columns * blocks, block], the first. With an inner axis of 0: it is no such matrix.
ByteMatrixShape FindByteMatrix(const TensorInfo& matrix, std::int64_t inner, std::int64_t columns,
                               bool is_transposed);

/// The kernel of a node of NodeKind::kByteWeights.
std::unique_ptr<const Kernel> MakeByteWeightProduct(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
