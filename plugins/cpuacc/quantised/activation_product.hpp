#pragma once

#include "making/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of a node with a BatchMatMulDescriptor that multiplies matrices of quantised bytes, as many on
/// both sides, none empty, neither known before the run; the first as it lies. Sums of integers are
/// scaled to float32, for a chain behind. Needs exact products of bytes (quantised/exact_sums.hpp).
std::unique_ptr<const Kernel> MakeActivationProduct(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
