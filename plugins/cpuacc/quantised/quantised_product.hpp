#pragma once

/// Products of matrices of quantised bytes, summed up in integers.

#include "kernel_builders/kernel_maker.hpp"
#include "quantised/zero_point_inputs.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace backplane {
namespace cpuacc {

/// Of a node that multiplies rows of quantised bytes, along the last axis, with a matrix of
/// quantised bytes: [inner, columns], or `is_transposed`. The output is quantised
/// (cpu_layers/requantisation.hpp), or float32: then what each sum stands for, for a chain behind.
std::unique_ptr<const Kernel> MakeQuantisedProduct(KernelMaker& maker, bool is_transposed);

/// [rows, inner] times [inner, columns], where the second is stored as it is or transposed.
struct ByteMatrices {
  std::int64_t rows;
  std::int64_t inner;
  std::int64_t columns;
  bool is_transposed;
};

/// Whether oneDNN multiplies rows of bytes with a matrix that is input 1.
bool HasFastByteProduct(const KernelMaker& maker, const ByteMatrices& matrices);

/// Of a node that multiplies plain bytes, as they are or less zero points, of which the rows have
/// one. Sums wrap around; `result_type` is int32, or float32, for a chain behind.
std::unique_ptr<const Kernel> MakeSumsOfByteProducts(
    KernelMaker& maker, const ByteMatrices& matrices, DataType result_type,
    const std::optional<ZeroPointInputs>& zero_points);

/// Makes the sums of products of the same node as int32, less zero points; those of the rows may be
/// unknown. Our own loop runs on panels of columns, which threads share. Null: there is no such
/// loop for this processor, or for such a matrix.
std::unique_ptr<const Kernel> MakeBytePanelProduct(KernelMaker& maker, const ByteMatrices& matrices,
                                                   const ZeroPointInputs& zero_points);

}  // namespace cpuacc
}  // namespace backplane
