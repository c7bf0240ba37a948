#pragma once

/// Kernels that combine two operands that broadcast.

#include "kernel_builders/kernel_maker.hpp"
#include "simd/comparison_functions.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Combines inputs 0 and 1.
std::unique_ptr<const Kernel> MakeCombine(KernelMaker& maker, CombineRows combine);

}  // namespace cpuacc
}  // namespace backplane
