#pragma once

/// Convolutions with fewer filters, in each group, than a vector has numbers: oneDNN computes whole
/// blocks of them.

#include "making/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of a convolution of images or lines by few filters into plain ones, with constant
/// weights and tensors that have elements. Null when it is another, or another way is faster.
std::unique_ptr<const Kernel> MakeNarrowConvolution(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
