#pragma once

/// Products of matrices of quantised bytes, summed up in integers.

#include "making/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of a node that multiplies rows of quantised bytes, along the last axis, with a matrix of
/// quantised bytes: [inner, columns], or `is_transposed`. The output is quantised
/// (cpu_layers/requantisation.hpp), or float32: then what each sum stands for, for a chain behind.
std::unique_ptr<const Kernel> MakeQuantisedProduct(KernelMaker& maker, bool is_transposed);

/// Of a node that multiplies rows of bytes, as they are, with a matrix of bytes, [inner, columns].
/// The output is int32; sums wrap around.
std::unique_ptr<const Kernel> MakeSumsOfByteProducts(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
