#include "convolutions/convolution_operands.hpp"
#include "cpu_layers/convolution_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/channel_blocks.hpp"
#include "products/bias_fill.hpp"

#include <string>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;
using DeconvolutionDesc = dnnl::deconvolution_forward::primitive_desc;

class TransposedConvolutionMaker {
 public:
  explicit TransposedConvolutionMaker(KernelMaker& maker)
      : TransposedConvolutionMaker(maker,
                                   MakeConvolutionDims<TransposedConvolutionDescriptor>(maker)) {}

  std::unique_ptr<const Kernel> Make() {
    const DeconvolutionDesc desc = Choose();
    operands_.TakeLayouts(desc.src_desc(), desc.dst_desc());
    return operands_.MakeKernel<dnnl::deconvolution_forward>(
        desc, dnnl::algorithm::deconvolution_direct, operands_.TakeArguments(desc));
  }

 private:
  TransposedConvolutionMaker(KernelMaker& maker, const ConvolutionDims& dims)
      : maker_(maker), operands_(maker, dims, dims.DescribePlainWeights(DataType::kFloat32)) {}

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
    return operands_.Describe<dnnl::deconvolution_forward>(dnnl::algorithm::deconvolution_direct,
                                                           input, output, MakeAttributes());
  }

  KernelMaker& maker_;
  ConvolutionOperands operands_;
  const ConvolutionDims& dims_ = operands_.GetDims();
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
  if (IsEmpty(maker.GetInput(0)) || IsEmpty(maker.GetInput(1))) return MakeBiasFill(maker, 1);
  return TransposedConvolutionMaker(maker).Make();
}

}  // namespace cpuacc
}  // namespace backplane
