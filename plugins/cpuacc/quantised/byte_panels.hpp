#pragma once

/// Products of rows of bytes with constant int8, in panels of columns.

#include "making/kernel_maker.hpp"
#include "quantised/quantised_product.hpp"
#include "quantised/zero_point_inputs.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of a node that multiplies rows of bytes with a matrix that is input 1: the sums of products, as
/// int32, less zero points; those of the rows may be unknown. Null: there is no such loop for this
/// processor, or for such a matrix.
std::unique_ptr<const Kernel> MakeBytePanelProduct(KernelMaker& maker, const ByteMatrices& matrices,
                                                   const ZeroPointInputs& zero_points);

}  // namespace cpuacc
}  // namespace backplane
