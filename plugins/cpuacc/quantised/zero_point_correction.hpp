#pragma once

#include "making/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of a node that multiplies rows of bytes with a matrix: takes what the zero points, inputs 2 and
/// 3, add to the sums of products, which are in the output already.
std::unique_ptr<const Kernel> MakeZeroPointCorrection(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
