#include "kernels/kernel_table.hpp"
#include "kernels/primitive.hpp"
#include "library/engine.hpp"

#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

memory::dims GetWeightDims(const TensorShape& shape, std::uint32_t groups) {
  memory::dims dims = ToDims(shape);
  if (groups == 1) return dims;
  dims[0] /= groups;
  dims.insert(dims.begin(), groups);
  return dims;
}

template <typename Value>
memory::dims Take(const Value* values, std::uint32_t count, std::int64_t less = 0) {
  memory::dims dims;
  for (std::uint32_t axis = 0; axis < count; ++axis) dims.push_back(values[axis] - less);
  return dims;
}

}  // namespace

std::string FindRefusalOfConvolution(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeConvolution(KernelMaker& maker) {
  const Node& node = maker.GetNode();
  const auto conv = node.GetDescriptor<ConvolutionDescriptor>();
  const bool has_bias = maker.GetNumInputs() > 2;
  const memory::dims weight_dims = GetWeightDims(maker.GetInput(1).info.shape, conv.groups);
  const memory::desc plain_weights = DescribePlain(weight_dims, DataType::kFloat32);
  const memory::desc bias = has_bias ? DescribePlain(maker.GetInput(2).info) : memory::desc();
  const std::uint32_t rank = conv.spatial_rank;
  const dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      DescribeAny(maker.GetInput(0).info), DescribeAny(weight_dims, DataType::kFloat32), bias,
      DescribeAny(maker.GetOutput().info), Take(conv.strides, rank), Take(conv.dilations, rank, 1),
      Take(conv.pads_begin, rank), Take(conv.pads_end, rank));
  const dnnl::convolution_forward::primitive_desc primitive(desc, MakeAttributes(), GetEngine());
  maker.WantInput(0, Layout(primitive.src_desc(), maker.GetInput(0).info));
  maker.SetOutput(0, Layout(primitive.dst_desc(), maker.GetOutput().info));
  std::vector<PrimitiveArgument> arguments = {
      FromInput(DNNL_ARG_SRC, primitive.src_desc(), 0),
      FromOutput(DNNL_ARG_DST, primitive.dst_desc()),
      FromConstant(DNNL_ARG_WEIGHTS, primitive.weights_desc(),
                   maker.Pack(1, plain_weights, primitive.weights_desc()))};
  if (has_bias) arguments.push_back(FromInput(DNNL_ARG_BIAS, bias, 2));
  return MakePrimitiveKernel(dnnl::convolution_forward(primitive), std::move(arguments),
                             primitive.scratchpad_desc());
}

}  // namespace cpuacc
}  // namespace backplane
