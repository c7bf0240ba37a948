#pragma once

/// A convolution as oneDNN describes it.

#include "layout/layout.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <dnnl.hpp>

#include <string>

namespace backplane {
namespace cpuacc {

/// Dims and windows of one layer. Where all tensors have a width of 1, height and width are
/// exchanged, because oneDNN makes registers of neighbours along the width: the elements lie as
/// they did.
struct ConvolutionDims {
  ConvolutionDims(const ConvolutionDescriptor& descriptor, const TensorShape& input_shape,
                  const TensorShape& weight_shape, const TensorShape& output_shape);
  /// The weights of a transposed convolution are [channels, filters / groups, kernel...]; oneDNN
  /// numbers them as [groups, filters, channels, kernel...].
  ConvolutionDims(const TransposedConvolutionDescriptor& descriptor,
                  const TensorShape& input_shape, const TensorShape& weight_shape,
                  const TensorShape& output_shape);

  /// The layout of a tensor, given how oneDNN describes its input or output.
  Layout ToLayout(const dnnl::memory::desc& desc, const TensorInfo& info) const;
  /// A layout of a tensor as oneDNN describes it with these dims.
  dnnl::memory::desc Describe(const TensorInfo& info, const Layout& layout) const;

  dnnl::memory::dims input;
  dnnl::memory::dims weights;  // with the groups in front, where there are several
  dnnl::memory::dims output;
  dnnl::memory::dims strides;
  dnnl::memory::dims dilations;  // as oneDNN counts: 0 for neighbours
  dnnl::memory::dims pads_begin;
  dnnl::memory::dims pads_end;
  dnnl::memory::desc plain_weights;  // float32
  bool is_exchanged = false;
};

/// Refuses windows that oneDNN's arithmetic in 32 bits may not bear.
void RequireModestWindow(std::uint32_t spatial_rank, const TensorShape& input,
                         const TensorShape& weights, const ConvolutionDescriptor& descriptor,
                         Refusal& refusal);

}  // namespace cpuacc
}  // namespace backplane
