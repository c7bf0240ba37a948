#pragma once

#include "kernel_builders/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of an IntegerMatMul whose output and sums are not empty, and whose inputs are wanted plain. The
/// output is int32, or float32, which passes make of it: the sums as numbers, for a chain behind.
std::unique_ptr<const Kernel> MakeIntegerProduct(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
