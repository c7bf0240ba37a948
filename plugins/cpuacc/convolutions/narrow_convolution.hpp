#pragma once

/// Convolutions with fewer filters, in each group, than a vector has numbers: oneDNN computes whole
/// blocks of them.

#include "kernel_builders/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of a convolution of images or lines by few filters, with constant weights. Null:
/// another convolution, or oneDNN is faster, which wants blocks of filters or an input in blocks.
std::unique_ptr<const Kernel> MakeNarrowConvolution(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
