#pragma once

#include "convolutions/convolution_dims.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "quantised/zero_point_inputs.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of a node that convolves plain bytes: takes what the zero points of the weights add to the sums
/// of products, which are int32 and in the output already, made of elements less their own zero
/// point. Input and output have their channels last.
std::unique_ptr<const Kernel> MakeWindowCorrection(const KernelMaker& maker,
                                                   const ConvolutionDims& dims,
                                                   const ZeroPointInputs& zero_points);

}  // namespace cpuacc
}  // namespace backplane
