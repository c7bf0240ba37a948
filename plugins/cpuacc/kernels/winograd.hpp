#pragma once

/// Winograd's algorithm for convolutions: fewer multiplications, more additions, and another error.

#include "kernels/kernel_maker.hpp"

#include <dnnl.hpp>

namespace backplane {
namespace cpuacc {

/// A way to compute the convolution of a node.
using ConvolutionDesc = dnnl::convolution_forward::primitive_desc;

/// Whether `winograd` is faster than `direct` on this machine with the threads that are set, and
/// its error small. Both have no post-operations. Input 1, the weights, is constant and lies as
/// `plain_weights` says. Runs both unless that has been decided before.
bool PrefersWinograd(KernelMaker& maker, const ConvolutionDesc& direct,
                     const ConvolutionDesc& winograd, const dnnl::memory::desc& plain_weights);

}  // namespace cpuacc
}  // namespace backplane
