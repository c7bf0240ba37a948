#include "cpu_layers/convolution_refusal.hpp"
#include "kernels/bias_fill.hpp"
#include "kernels/convolution_dims.hpp"
#include "kernels/copy.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/post_ops.hpp"
#include "kernels/primitive.hpp"
#include "library/engine.hpp"

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;
using PrimitiveDesc = dnnl::convolution_forward::primitive_desc;

/// The convolution of a node, before the way in which it is computed is chosen.
class ConvolutionMaker {
 public:
  explicit ConvolutionMaker(KernelMaker& maker)
      : maker_(maker),
        dims_(maker.GetNode().GetDescriptor<ConvolutionDescriptor>(), maker.GetInput(0).info.shape,
              maker.GetInput(1).info.shape, maker.GetOutput().info.shape),
        plain_weights_(dims_.DescribePlainWeights(DataType::kFloat32)),
        has_bias_(maker.GetNode().CountLayerInputs() > 2) {
    if (has_bias_) bias_ = DescribePlain(maker.GetInput(2).info);
  }

  std::unique_ptr<const Kernel> Make() {
    FusedOps fused;
    std::size_t count = 0;
    const PrimitiveDesc desc =
        MakeWithFusedOps(maker_, dims_.output, 1, MakeProductAttributes(maker_.GetOptions()), fused,
                         count, [&](const dnnl::primitive_attr& attributes) {
                           return Describe(dnnl::algorithm::convolution_direct, attributes);
                         });
    maker_.WantInput(0, dims_.ToLayout(desc.src_desc(), maker_.GetInput(0).info));
    maker_.SetOutput(0, dims_.ToLayout(desc.dst_desc(), maker_.GetOutput().info));
    std::vector<PrimitiveArgument> arguments = {
        FromInput(DNNL_ARG_SRC, desc.src_desc(), 0), FromOutput(DNNL_ARG_DST, desc.dst_desc()),
        FromConstantOrInput(maker_, DNNL_ARG_WEIGHTS, 1, plain_weights_, desc.weights_desc())};
    if (has_bias_) {
      maker_.WantPlain(2);
      arguments.push_back(FromInput(DNNL_ARG_BIAS, bias_, 2));
    }
    TakeFusedOps(maker_, fused, count, desc.dst_desc(), arguments);
    return MakePrimitiveKernel(dnnl::convolution_forward(desc), std::move(arguments),
                               desc.scratchpad_desc());
  }

 private:
  /// Weights that are computed are read as they lie, so that nothing is packed in each run.
  PrimitiveDesc Describe(dnnl::algorithm algorithm, const dnnl::primitive_attr& attributes) const {
    const bool packs = maker_.GetInput(1).IsConstant();
    const memory::desc weights =
        packs ? DescribeAny(dims_.weights, DataType::kFloat32) : plain_weights_;
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_inference, algorithm, DescribeAny(dims_.input, DataType::kFloat32),
        weights, bias_, DescribeAny(dims_.output, DataType::kFloat32), dims_.strides,
        dims_.dilations, dims_.pads_begin, dims_.pads_end);
    return PrimitiveDesc(desc, attributes, GetEngine(), true);
  }

  KernelMaker& maker_;
  const ConvolutionDims dims_;
  const memory::desc plain_weights_;
  const bool has_bias_;
  memory::desc bias_;
};

}  // namespace

std::string FindRefusalOfConvolution(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireConvolution(layer, refusal);
  RequireConvolutionBias(layer, refusal);
  if (refusal.IsEmpty()) RequireModestConvolution(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeConvolution(KernelMaker& maker) {
  if (IsEmpty(maker.GetOutput())) return MakeCopy(0);
  if (IsEmpty(maker.GetInput(0)) || IsEmpty(maker.GetInput(1))) return MakeBiasFill(maker, 1);
  return ConvolutionMaker(maker).Make();
}

}  // namespace cpuacc
}  // namespace backplane
