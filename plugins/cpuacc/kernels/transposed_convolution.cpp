#include "cpu_layers/convolution_refusal.hpp"
#include "kernels/bias_fill.hpp"
#include "kernels/convolution_dims.hpp"
#include "kernels/copy.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/primitive.hpp"
#include "layout/channel_blocks.hpp"
#include "library/engine.hpp"

#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;
using DeconvolutionDesc = dnnl::deconvolution_forward::primitive_desc;

class TransposedConvolutionMaker {
 public:
  explicit TransposedConvolutionMaker(KernelMaker& maker)
      : maker_(maker),
        dims_(maker.GetNode().GetDescriptor<TransposedConvolutionDescriptor>(),
              maker.GetInput(0).info.shape, maker.GetInput(1).info.shape,
              maker.GetOutput().info.shape),
        plain_weights_(dims_.DescribePlainWeights(DataType::kFloat32)),
        has_bias_(CountLayerInputs(maker.GetNode()) > 2) {
    if (has_bias_) bias_ = DescribePlain(maker.GetInput(2).info);
  }

  std::unique_ptr<const Kernel> Make() {
    const DeconvolutionDesc desc = Choose();
    maker_.WantInput(0, dims_.ToLayout(desc.src_desc(), maker_.GetInput(0).info));
    maker_.SetOutput(0, dims_.ToLayout(desc.dst_desc(), maker_.GetOutput().info));
    std::vector<PrimitiveArgument> arguments = {
        FromInput(DNNL_ARG_SRC, desc.src_desc(), 0), FromOutput(DNNL_ARG_DST, desc.dst_desc()),
        FromConstantOrInput(maker_, DNNL_ARG_WEIGHTS, 1, plain_weights_, desc.weights_desc())};
    if (has_bias_) {
      maker_.WantPlain(2);
      arguments.push_back(FromInput(DNNL_ARG_BIAS, bias_, 2));
    }
    return MakePrimitiveKernel(dnnl::deconvolution_forward(desc), std::move(arguments),
                               desc.scratchpad_desc());
  }

 private:
  /// In channel blocks, as convolutions; else as oneDNN likes it best.
  DeconvolutionDesc Choose() const {
    const std::int64_t block = GetNativeChannelBlock();
    const auto input = MakeChannelBlocks(maker_.GetInput(0).info, block);
    const auto output = MakeChannelBlocks(maker_.GetOutput().info, block);
    if (maker_.GetInput(1).IsConstant() && input && output) {
      const DeconvolutionDesc desc = Describe(dims_.Describe(maker_.GetInput(0).info, *input),
                                              dims_.Describe(maker_.GetOutput().info, *output));
      if (desc && std::string(desc.impl_info_str()).find("jit") != std::string::npos) return desc;
    }
    return Describe(DescribeAny(dims_.input, DataType::kFloat32),
                    DescribeAny(dims_.output, DataType::kFloat32));
  }

  DeconvolutionDesc Describe(const memory::desc& input, const memory::desc& output) const {
    const memory::desc weights = maker_.GetInput(1).IsConstant()
                                     ? DescribeAny(dims_.weights, DataType::kFloat32)
                                     : plain_weights_;
    const dnnl::deconvolution_forward::desc desc(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::deconvolution_direct, input, weights,
        bias_, output, dims_.strides, dims_.dilations, dims_.pads_begin, dims_.pads_end);
    return DeconvolutionDesc(desc, MakeProductAttributes(maker_.GetOptions()), GetEngine(), true);
  }

  KernelMaker& maker_;
  const ConvolutionDims dims_;
  const memory::desc plain_weights_;
  const bool has_bias_;
  memory::desc bias_;
};

/// oneDNN takes padding down to less than a stride below 0.
void RequireModestOutputPadding(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<TransposedConvolutionDescriptor>();
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const std::uint32_t most = descriptor.pads_end[axis] + descriptor.strides[axis];
    if (descriptor.output_padding[axis] < most) continue;
    refusal.Add("output padding ", descriptor.output_padding[axis], " of spatial axis ", axis,
                " is not supported, only less than stride and padding together, ", most);
  }
}

}  // namespace

std::string FindRefusalOfTransposedConvolution(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireTransposedConvolution(layer, refusal);
  if (refusal.IsEmpty()) RequireModestConvolution(layer, refusal);
  if (refusal.IsEmpty()) RequireModestOutputPadding(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeTransposedConvolution(KernelMaker& maker) {
  if (IsEmpty(maker.GetOutput())) return MakeCopy(0);
  if (IsEmpty(maker.GetInput(0)) || IsEmpty(maker.GetInput(1))) return MakeBiasFill(maker, 1);
  return TransposedConvolutionMaker(maker).Make();
}

}  // namespace cpuacc
}  // namespace backplane
