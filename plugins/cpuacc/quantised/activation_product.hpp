#pragma once

#include "kernel_builders/kernel_maker.hpp"
#include "quantised/zero_point_inputs.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of a node with a BatchMatMulDescriptor that multiplies matrices of quantised bytes, as many on
/// both sides, none empty, neither known before the run; the first as it lies. Sums of integers are
/// scaled to float32, for a chain behind. Needs exact products of bytes (quantised/exact_sums.hpp).
std::unique_ptr<const Kernel> MakeActivationProduct(KernelMaker& maker);

/// Of a node that multiplies matrices of plain bytes, which broadcast in front of the matrices. The
/// result is float32, for a chain behind, of elements less their zero points. Null where that is
/// not exact or not fast, or there are several zero points.
std::unique_ptr<const Kernel> MakeBatchedByteProduct(KernelMaker& maker,
                                                     const ZeroPointInputs& zero_points);

/// The same of elements as they are, those of a second operand of uint8 less kSignBit; the result
/// is int32.
std::unique_ptr<const Kernel> MakeBatchedSums(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
