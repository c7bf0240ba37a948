#pragma once

/// Chains of operations on each element of a tensor of float32.

#include "making/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Makes the kernel of a node that is a chain alone. It runs in the layout of input 0 when that has
/// the shape of the output, else plain.
std::unique_ptr<const Kernel> MakeElements(KernelMaker& maker);

/// Makes the kernel of the operations that the maker's kernel has not taken, on output 0 in place,
/// in the layout that is set. Operands that are not constant are wanted in layouts that fit.
std::unique_ptr<const Kernel> MakeChainInPlace(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
