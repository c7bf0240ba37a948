#pragma once

/// The tensors of a convolution, or a transposed one, that is a primitive of oneDNN.

#include "convolutions/convolution_dims.hpp"
#include "convolutions/convolution_parts.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/primitive.hpp"
#include "library/engine.hpp"

#include <dnnl.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
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
  /// The primitive then makes sums without the bias.
  void LeaveBiasOut() {
    has_bias_ = false;
    bias_ = dnnl::memory::desc();
  }
  /// The constant bias that replaces the one of the node: one number for each filter.
  void SetBias(const std::vector<std::int32_t>& bias);

  /// `Primitive` is convolution_forward or deconvolution_forward. Empty when oneDNN has none.
  template <typename Primitive>
  typename Primitive::primitive_desc Describe(dnnl::algorithm algorithm,
                                              const dnnl::memory::desc& input,
                                              const dnnl::memory::desc& output,
                                              const dnnl::primitive_attr& attributes) const {
    const typename Primitive::desc desc(
        dnnl::prop_kind::forward_inference, algorithm, input, DescribeWeights(input.data_type()),
        bias_, output, dims_.strides, dims_.dilations, dims_.pads_begin, dims_.pads_end);
    return PassOverWrong(typename Primitive::primitive_desc(desc, attributes, GetEngine(), true));
  }

  /// The kernel of what Describe gave, with its arguments, in parts for all threads; behind each
  /// part runs `function`, which gives 0 for 0. Null: a part does not lie dense, or is too large to
  /// be in a cache still, so that there is no use in that.
  template <typename Primitive, typename PrimitiveDesc>
  std::unique_ptr<const Kernel> MakeKernel(const PrimitiveDesc& whole, dnnl::algorithm algorithm,
                                           std::vector<PrimitiveArgument> arguments,
                                           const PartFunction& function = {}) const {
    const auto make = [&](const ConvolutionPart& part) -> std::optional<PrimitivePart> {
      std::vector<PrimitiveArgument> of_part = part.arguments;
      dnnl::primitive_attr attributes = whole.get_primitive_attr();
      attributes.set_post_ops(TakeOperands(attributes.get_post_ops(), of_part));
      const auto find = [&](int id) { return FindDesc(of_part, id); };
      const typename Primitive::desc desc(dnnl::prop_kind::forward_inference, algorithm,
                                          find(DNNL_ARG_SRC), find(DNNL_ARG_WEIGHTS),
                                          find(DNNL_ARG_BIAS), find(DNNL_ARG_DST), dims_.strides,
                                          dims_.dilations, part.pads_begin, part.pads_end);
      const PrimitiveDesc described =
          PassOverWrong(PrimitiveDesc(desc, attributes, GetEngine(), true));
      if (!described || std::string(described.impl_info_str()) != whole.impl_info_str()) return {};
      try {
        return PrimitivePart{Primitive(described), std::move(of_part), described.scratchpad_desc()};
      } catch (const dnnl::error&) {
        return {};  // oneDNN describes some that it then cannot make
      }
    };
    ConvolutionCuts cuts = FindCuts(whole, std::is_same_v<Primitive, dnnl::convolution_forward>);
    if (function.map != nullptr) cuts.least_parts = CountCachedParts(whole.dst_desc());
    std::vector<PrimitivePart> parts = MakeConvolutionParts(
        {arguments, dims_.pads_begin, dims_.pads_end}, cuts, maker_.GetNumThreads(), make);
    if (parts.empty()) {
      parts.push_back({Primitive(whole), std::move(arguments), whole.scratchpad_desc()});
    }
    if (function.map != nullptr && !RunBehind(function, parts)) return nullptr;
    return MakePartsKernel(std::move(parts));
  }

  /// Wants the input, and sets the output, in the layouts that these describe; an input of bfloat16
  /// is float32 in the same places before it is rounded.
  void TakeLayouts(const dnnl::memory::desc& input, const dnnl::memory::desc& output);

  /// All of them as arguments of the primitive. Packs weights that are constant, and wants the bias
  /// plain.
  template <typename PrimitiveDesc>
  std::vector<PrimitiveArgument> TakeArguments(const PrimitiveDesc& desc) {
    return TakeArguments(desc.src_desc(), desc.weights_desc(), desc.dst_desc());
  }

 private:
  /// The first implementation from this one on that gives right results. Empty: none does.
  template <typename PrimitiveDesc>
  PrimitiveDesc PassOverWrong(PrimitiveDesc desc) const {
    while (desc && IsWrong(desc)) {
      if (!desc.next_impl()) return PrimitiveDesc();
    }
    return desc;
  }
  /// Whether an implementation is known to give wrong results.
  bool IsWrong(const dnnl::primitive_desc_base& desc) const;
  bool HasUsualWindows() const;

  /// Weights that are computed are read as they lie, so that nothing is packed in each run.
  /// Constant ones meet an input of bfloat16 in that type, too.
  dnnl::memory::desc DescribeWeights(dnnl::memory::data_type input_type) const;
  std::vector<PrimitiveArgument> TakeArguments(const dnnl::memory::desc& input,
                                               const dnnl::memory::desc& weights,
                                               const dnnl::memory::desc& output);

  ConvolutionCuts FindCuts(const dnnl::primitive_desc_base& whole, bool has_rows) const;

  KernelMaker& maker_;
  const ConvolutionDims dims_;
  const dnnl::memory::desc plain_weights_;
  bool has_bias_;
  dnnl::memory::desc bias_;
  std::shared_ptr<const void> own_bias_;  // null: that of the node
};

}  // namespace cpuacc
}  // namespace backplane
