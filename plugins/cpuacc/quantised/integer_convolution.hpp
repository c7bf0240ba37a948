#pragma once

#include "making/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of an IntegerConvolution whose tensors have elements. The output is int32, or float32, which
/// passes make of it: the sums as numbers, for a chain behind.
std::unique_ptr<const Kernel> MakeConvolutionOfPlainBytes(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
