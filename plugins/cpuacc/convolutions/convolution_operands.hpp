#pragma once

/// The tensors of a convolution, or a transposed one, that is a primitive of oneDNN.

#include "convolutions/convolution_dims.hpp"
#include "library/engine.hpp"
#include "making/kernel_maker.hpp"
#include "making/primitive.hpp"

#include <dnnl.hpp>

#include <vector>

namespace backplane {
namespace cpuacc {

/// The dims of a node whose descriptor is a Descriptor.
template <typename Descriptor>
ConvolutionDims MakeConvolutionDims(const KernelMaker& maker) {
  return ConvolutionDims(maker.GetNode().GetDescriptor<Descriptor>(), maker.GetInput(0).info.shape,
                         maker.GetInput(1).info.shape, maker.GetOutput().info.shape);
}

/// Input 0, weights (input 1), where there is one a bias (input 2), and the output.
class ConvolutionOperands {
 public:
  /// `plain_weights` is how the weights lie in the graph.
  /// Ownership: the maker is borrowed.
  ConvolutionOperands(KernelMaker& maker, const ConvolutionDims& dims,
                      const dnnl::memory::desc& plain_weights);

  const ConvolutionDims& GetDims() const { return dims_; }
  bool HasBias() const { return has_bias_; }

  /// `Primitive` is convolution_forward or deconvolution_forward. Empty when oneDNN has none.
  template <typename Primitive>
  typename Primitive::primitive_desc Describe(dnnl::algorithm algorithm,
                                              const dnnl::memory::desc& input,
                                              const dnnl::memory::desc& output,
                                              const dnnl::primitive_attr& attributes) const {
    const typename Primitive::desc desc(dnnl::prop_kind::forward_inference, algorithm, input,
                                        DescribeWeights(), bias_, output, dims_.strides,
                                        dims_.dilations, dims_.pads_begin, dims_.pads_end);
    return typename Primitive::primitive_desc(desc, attributes, GetEngine(), true);
  }

  /// Wants the input, and sets the output, in the layouts that these describe.
  void TakeLayouts(const dnnl::memory::desc& input, const dnnl::memory::desc& output);

  /// All of them as arguments of the primitive. Packs weights that are constant, and wants the bias
  /// plain.
  template <typename PrimitiveDesc>
  std::vector<PrimitiveArgument> TakeArguments(const PrimitiveDesc& desc) {
    return TakeArguments(desc.src_desc(), desc.weights_desc(), desc.dst_desc());
  }

 private:
  /// Weights that are computed are read as they lie, so that nothing is packed in each run.
  dnnl::memory::desc DescribeWeights() const;
  std::vector<PrimitiveArgument> TakeArguments(const dnnl::memory::desc& input,
                                               const dnnl::memory::desc& weights,
                                               const dnnl::memory::desc& output);

  KernelMaker& maker_;
  const ConvolutionDims dims_;
  const dnnl::memory::desc plain_weights_;
  const bool has_bias_;
  dnnl::memory::desc bias_;
};

}  // namespace cpuacc
}  // namespace backplane
