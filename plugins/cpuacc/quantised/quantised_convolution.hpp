#pragma once

/// Convolutions and products of quantised bytes, exact as the reference defines them
/// (cpu_layers/requantisation.hpp).

#include "convolutions/convolution_dims.hpp"
#include "kernel_builders/kernel_maker.hpp"

#include <dnnl.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// A convolution of bytes, or a product that is seen as one, and its weights as they lie.
struct QuantisedConvolution {
  ConvolutionDims dims;
  dnnl::memory::desc weights;
  DataType output_type;  // int32 are sums, float32 sums that are only scaled
};

/// Refuses a layer whose tensors are not quantised as exact products of bytes need it.
/// `channel_axis` is that of the weights along which there may be several scales.
void RequireQuantisedBytes(const Layer& layer, std::uint32_t channel_axis, Refusal& refusal);

/// The kernel of a quantised Convolution by oneDNN. Null: it has none that is exact and fast.
std::unique_ptr<const Kernel> MakeQuantisedByPrimitive(KernelMaker& maker);

/// The same by CpuAcc's loops, which can always be made.
std::unique_ptr<const Kernel> MakeQuantisedByLoops(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
