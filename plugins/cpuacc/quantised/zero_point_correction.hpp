#pragma once

#include "kernel_builders/kernel_maker.hpp"
#include "quantised/quantised_product.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of a node that multiplies rows of bytes with a matrix: takes what the zero points add to the
/// sums of products, which are in the output already. Rows and columns may each have their own.
/// The sums were made of elements of the matrix less `matrix_shift`.
std::unique_ptr<const Kernel> MakeZeroPointCorrection(const KernelMaker& maker,
                                                      const ByteMatrices& matrices,
                                                      const ZeroPointInputs& zero_points,
                                                      std::int32_t matrix_shift = 0);

}  // namespace cpuacc
}  // namespace backplane
