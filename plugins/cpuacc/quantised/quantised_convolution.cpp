#include "quantised/quantised_convolution.hpp"

#include "convolutions/convolution_operands.hpp"
#include "cpu_layers/requantisation.hpp"
#include "cpu_layers/scales.hpp"
#include "layout/channels_last.hpp"
#include "making/layer_of_node.hpp"
#include "quantised/byte_convolution.hpp"
#include "quantised/exact_sums.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Requantisation;
using dnnl::memory;
using ConvolutionDesc = dnnl::convolution_forward::primitive_desc;

/// Without these instructions, sums of two products of bytes do not fit where oneDNN puts them.
bool HasExactByteProducts() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core_vnni:
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
    case dnnl::cpu_isa::avx2_vnni:
      return true;
    default:
      return false;
  }
}

bool AreZero(const std::vector<std::int32_t>& values) {
  return std::all_of(values.begin(), values.end(), [](std::int32_t value) { return value == 0; });
}

class QuantisedMaker {
 public:
  QuantisedMaker(KernelMaker& maker, QuantisedConvolution convolution, std::int64_t num_channels)
      : maker_(maker),
        convolution_(std::move(convolution)),
        requantisation_(cpu_layers::MakeRequantisation(
            LayerOfNode(maker.GetGraph(), maker.GetNode()).Get(), num_channels)),
        operands_(maker, convolution_.dims, convolution_.weights) {}

  /// `is_convolution`: tensors have the axes of the dims.
  std::unique_ptr<const Kernel> Make(bool is_convolution) {
    if (is_convolution) {
      operands_.TakeLayouts(DescribeInput(), DescribeOutput());
    } else {
      maker_.WantPlain(0);
    }
    if (!CanUsePrimitive()) return MakeByteConvolution(maker_, convolution_, requantisation_);
    const ConvolutionDesc desc = Describe();
    if (!desc || std::string(desc.impl_info_str()).find("ref") != std::string::npos) {
      return MakeByteConvolution(maker_, convolution_, requantisation_);
    }
    return MakePrimitiveKernel(dnnl::convolution_forward(desc), operands_.TakeArguments(desc),
                               desc.scratchpad_desc());
  }

 private:
  bool CanUsePrimitive() const {
    const GraphTensor& weights = maker_.GetInput(1);
    if (!HasExactByteProducts() || !weights.IsConstant() || weights.info.GetSizeBytes() == 0 ||
        maker_.GetInput(0).info.GetSizeBytes() == 0 || weights.info.data_type != DataType::kInt8 ||
        !AreZero(requantisation_.zero_points)) {
      return false;
    }
    return (!operands_.HasBias() || maker_.GetInput(2).IsConstant()) && AreAllExact();
  }

  bool AreAllExact() const {
    const ConvolutionDims& dims = convolution_.dims;
    const std::size_t num_outer = dims.weights.size() > dims.input.size() ? 2 : 1;
    const auto* bias = operands_.HasBias()
                           ? static_cast<const std::int32_t*>(maker_.GetInput(2).content.get())
                           : nullptr;
    return AreSumsExact({maker_.GetInput(1), convolution_.weights, num_outer}, bias,
                        requantisation_, maker_.GetInput(0).info.data_type);
  }

  /// Rounded before the zero point is added, as the definition does it.
  dnnl::primitive_attr MakeRequantisingAttributes() const {
    dnnl::primitive_attr attributes = MakeAttributes();
    attributes.set_output_scales(1 << 1, requantisation_.multipliers);
    if (requantisation_.input_zero_point != 0) {
      attributes.set_zero_points(DNNL_ARG_SRC, 0, {requantisation_.input_zero_point});
    }
    if (requantisation_.output_zero_point != 0) {
      dnnl::post_ops ops;
      ops.append_eltwise(1.0F, dnnl::algorithm::eltwise_round, 0.0F, 0.0F);
      ops.append_eltwise(1.0F, dnnl::algorithm::eltwise_linear, 1.0F,
                         static_cast<float>(requantisation_.output_zero_point));
      attributes.set_post_ops(ops);
    }
    return attributes;
  }

  memory::desc DescribeInput() const {
    return DescribeChannelsLast(convolution_.dims.input, maker_.GetInput(0).info.data_type);
  }
  memory::desc DescribeOutput() const {
    return DescribeChannelsLast(convolution_.dims.output, maker_.GetOutput().info.data_type);
  }

  ConvolutionDesc Describe() const {
    return operands_.Describe<dnnl::convolution_forward>(dnnl::algorithm::convolution_direct,
                                                         DescribeInput(), DescribeOutput(),
                                                         MakeRequantisingAttributes());
  }

  KernelMaker& maker_;
  const QuantisedConvolution convolution_;
  const cpu_layers::Requantisation requantisation_;
  ConvolutionOperands operands_;
};

}  // namespace

void RequireQuantisedBytes(const Layer& layer, std::uint32_t channel_axis, Refusal& refusal) {
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    RequireScalesThatFit(layer.Input(index), Text("input ", index), refusal);
  }
  RequireScalesThatFit(layer.Output(), "the output", refusal);
  if (!refusal.IsEmpty() || cpu_layers::HasIntegerForm(layer, channel_axis)) return;
  refusal.Add(
      "quantised tensors are supported only when input, weights and output are int8 or uint8 with "
      "one scale each, or the weights with one for each index of axis ",
      channel_axis, ", and the bias is int32 with the product of the scales as its scale");
}

std::unique_ptr<const Kernel> MakeQuantisedConvolution(KernelMaker& maker) {
  const auto dims = MakeConvolutionDims<ConvolutionDescriptor>(maker);
  const memory::desc weights = dims.DescribePlainWeights(maker.GetInput(1).info.data_type);
  return QuantisedMaker(maker, {dims, weights}, maker.GetInput(1).info.shape[0]).Make(true);
}

std::unique_ptr<const Kernel> MakeQuantisedProduct(KernelMaker& maker, bool is_transposed) {
  const TensorInfo& a = maker.GetInput(0).info;
  const TensorInfo& b = maker.GetInput(1).info;
  const std::int64_t rows = a.shape[0];
  const std::int64_t inner = a.shape[1];
  const std::int64_t columns = b.shape[is_transposed ? 0 : 1];
  // Rows are neighbours along the width, the elements of a row channels.
  const ConvolutionDims dims(ConvolutionDescriptor(), {1, inner, 1, rows}, {columns, inner, 1, 1},
                             {1, columns, 1, rows});
  const memory::dims steps =
      is_transposed ? memory::dims{inner, 1, 1, 1} : memory::dims{1, columns, 1, 1};
  const memory::desc weights(dims.weights, ToDnnlType(b.data_type), steps);
  return QuantisedMaker(maker, {dims, weights}, columns).Make(false);
}

}  // namespace cpuacc
}  // namespace backplane
