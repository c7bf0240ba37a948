#include "convolutions/convolution_operands.hpp"

namespace backplane {
namespace cpuacc {

using dnnl::memory;

ConvolutionOperands::ConvolutionOperands(KernelMaker& maker, const ConvolutionDims& dims,
                                         const memory::desc& plain_weights)
    : maker_(maker),
      dims_(dims),
      plain_weights_(plain_weights),
      has_bias_(cpuacc::HasBias(maker.GetNode())) {
  if (has_bias_) bias_ = DescribePlain(maker.GetInput(2).info);
}

memory::desc ConvolutionOperands::DescribeWeights() const {
  const GraphTensor& weights = maker_.GetInput(1);
  return weights.IsConstant() ? DescribeAny(dims_.weights, weights.info.data_type) : plain_weights_;
}

void ConvolutionOperands::TakeLayouts(const memory::desc& input, const memory::desc& output) {
  maker_.WantInput(0, dims_.ToLayout(input, maker_.GetInput(0).info));
  maker_.SetOutput(0, dims_.ToLayout(output, maker_.GetOutput().info));
}

std::vector<PrimitiveArgument> ConvolutionOperands::TakeArguments(const memory::desc& input,
                                                                  const memory::desc& weights,
                                                                  const memory::desc& output) {
  std::vector<PrimitiveArgument> arguments = {
      FromInput(DNNL_ARG_SRC, input, 0), FromOutput(DNNL_ARG_DST, output),
      FromConstantOrInput(maker_, DNNL_ARG_WEIGHTS, 1, plain_weights_, weights)};
  if (has_bias_) {
    maker_.WantPlain(2);
    arguments.push_back(FromInput(DNNL_ARG_BIAS, bias_, 2));
  }
  return arguments;
}

}  // namespace cpuacc
}  // namespace backplane
