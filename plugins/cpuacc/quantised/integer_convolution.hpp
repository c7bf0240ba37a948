#pragma once

#include "kernel_builders/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of an IntegerConvolution whose tensors have elements, by oneDNN. The output is int32,
/// or float32, which passes make of it: the sums as numbers, for a chain behind. Null: oneDNN has
/// none that is exact and fast.
std::unique_ptr<const Kernel> MakeIntegersByPrimitive(KernelMaker& maker);

/// The same by CpuAcc's loops, which can always be made.
std::unique_ptr<const Kernel> MakeIntegersByLoops(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
