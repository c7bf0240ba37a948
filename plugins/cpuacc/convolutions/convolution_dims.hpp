#pragma once

/// A convolution as oneDNN describes it.

#include "kernel_builders/layer.hpp"
#include "layout/layout.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <dnnl.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Dims and windows of one layer. Where all tensors have a width of 1, height and width are
/// exchanged, because oneDNN computes neighbours along the width together: the elements lie as
/// they did.
struct ConvolutionDims {
  ConvolutionDims(const ConvolutionDescriptor& descriptor, const TensorShape& input_shape,
                  const TensorShape& weight_shape, const TensorShape& output_shape);
  ConvolutionDims(const TransposedConvolutionDescriptor& descriptor, const TensorShape& input_shape,
                  const TensorShape& weight_shape, const TensorShape& output_shape);

  /// Weights that lie plain.
  dnnl::memory::desc DescribePlainWeights(DataType type) const {
    return dnnl::memory::desc(weights, ToDnnlType(type), weight_strides);
  }
  /// The layout of a tensor, from how oneDNN describes it with these dims.
  Layout ToLayout(const dnnl::memory::desc& desc, const TensorInfo& info) const;
  /// How oneDNN describes a tensor with these dims.
  dnnl::memory::desc Describe(const TensorInfo& info, const Layout& layout) const;

  bool IsPadded() const;
  bool IsDilated() const;
  /// Whether windows stand so far from each other that they leave rows of the input out.
  bool LeavesRowsOut() const;

  dnnl::memory::dims input;
  dnnl::memory::dims weights;         // with the groups in front, where there are several
  dnnl::memory::dims weight_strides;  // where they lie plain
  dnnl::memory::dims output;
  dnnl::memory::dims strides;
  dnnl::memory::dims dilations;  // as oneDNN counts: 0 for neighbours
  dnnl::memory::dims pads_begin;
  dnnl::memory::dims pads_end;  // of a transposed convolution less the output padding
  bool is_exchanged = false;

 private:
  template <typename Descriptor>
  void TakeWindow(const Descriptor& descriptor);
  void ExchangeAxesOfWidthOne();
};

/// Refuses windows and extents for which oneDNN's arithmetic in 32 bits may not do. For a layer
/// with a ConvolutionDescriptor, or a TransposedConvolutionDescriptor.
void RequireModestConvolution(const Layer& layer, Refusal& refusal);

}  // namespace cpuacc
}  // namespace backplane
