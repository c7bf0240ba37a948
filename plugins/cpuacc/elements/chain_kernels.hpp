#pragma once

/// Chains of operations on each element of a tensor of float32.

#include "kernel_builders/kernel_maker.hpp"

#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Makes the kernel of a node that is a chain alone. It runs in the layout of input 0 when that has
/// the shape of the output, else plain.
std::unique_ptr<const Kernel> MakeElements(KernelMaker& maker);

/// Makes the kernel of the operations that the maker's kernel has not taken, on output 0 in place,
/// in the layout that is set. Operands that are not constant are wanted in layouts that fit.
std::unique_ptr<const Kernel> MakeChainInPlace(KernelMaker& maker);

/// The whole chain of the node, behind a kernel that has left int32 in output 0, which is float32.
/// `scales`, one for each index of the last axis, or none, multiply the integers before.
std::unique_ptr<const Kernel> MakeChainOnIntegers(KernelMaker& maker,
                                                  const std::vector<float>& scales = {});

/// The same, on input 0, which is int32 and has the layout and the shape of the output.
std::unique_ptr<const Kernel> MakeChainOfIntegers(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
