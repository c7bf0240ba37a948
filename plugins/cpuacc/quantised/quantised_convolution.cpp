#include "quantised/quantised_convolution.hpp"

#include "convolutions/convolution_operands.hpp"
#include "cpu_layers/requantisation.hpp"
#include "cpu_layers/scales.hpp"
#include "kernel_builders/layer_of_node.hpp"
#include "layout/channels_last.hpp"
#include "quantised/byte_convolution.hpp"
#include "quantised/exact_sums.hpp"
#include "quantised/requantised_sums.hpp"
#include "quantised/requantising_attributes.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Requantisation;
using dnnl::memory;
using ConvolutionDesc = dnnl::convolution_forward::primitive_desc;

bool AreZero(const std::vector<std::int32_t>& values) {
  return std::all_of(values.begin(), values.end(), [](std::int32_t value) { return value == 0; });
}

class QuantisedMaker {
 public:
  explicit QuantisedMaker(KernelMaker& maker)
      : QuantisedMaker(maker, MakeConvolutionDims<ConvolutionDescriptor>(maker)) {}

  std::unique_ptr<const Kernel> MakeByPrimitive() {
    if (!CanUsePrimitive()) return nullptr;
    operands_.TakeLayouts(DescribeInput(), DescribeOutput());
    bias_ = ReadBias(maker_);
    if (FoldInputZeroPoint()) operands_.SetBias(bias_);
    return AreAllExact() ? MakeInOneStep() : MakeInTwoSteps();
  }

  std::unique_ptr<const Kernel> MakeByLoops() {
    operands_.TakeLayouts(DescribeInput(), DescribeOutput());
    return MakeByteConvolution(maker_, convolution_, requantisation_);
  }

 private:
  QuantisedMaker(KernelMaker& maker, const ConvolutionDims& dims)
      : maker_(maker),
        convolution_{dims, dims.DescribePlainWeights(maker.GetInput(1).info.data_type),
                     maker.GetOutput().info.data_type},
        requantisation_(cpu_layers::MakeRequantisation(
            LayerOfNode(maker.GetGraph(), maker.GetNode()).Get(), maker.GetInput(1).info.shape[0])),
        operands_(maker, dims, convolution_.weights) {}

  /// Null when oneDNN has no fast one.
  std::unique_ptr<const Kernel> MakeInOneStep() {
    const ConvolutionDesc desc =
        Describe(operands_, DescribeOutput(), MakeRequantisingAttributes(requantisation_));
    if (!desc || std::string(desc.impl_info_str()).find("ref") != std::string::npos) return nullptr;
    if (!CanBeMade(desc)) return nullptr;
    return MakeKernel(operands_, desc);
  }

  /// oneDNN describes some that it then cannot make.
  static bool CanBeMade(const ConvolutionDesc& desc) {
    try {
      static_cast<void>(dnnl::convolution_forward(desc));
      return true;
    } catch (const dnnl::error&) {
      return false;
    }
  }

  /// Sums first, to which the bias is added as integers. Null when oneDNN has none that keeps all
  /// bits: others turn sums into float32 on the way, these where the input has a zero point.
  std::unique_ptr<const Kernel> MakeInTwoSteps() {
    if (!operands_.HasBias() || requantisation_.input_zero_point != 0) return nullptr;
    ConvolutionOperands sums = operands_;
    sums.LeaveBiasOut();
    const ConvolutionDesc desc = Describe(
        sums, DescribeChannelsLast(convolution_.dims.output, DataType::kInt32), MakeAttributes());
    if (!desc || std::string(desc.impl_info_str()).find("brg") == std::string::npos) return nullptr;
    if (!CanBeMade(desc)) return nullptr;
    return MakeRequantisedSums(maker_, requantisation_, bias_, MakeKernel(sums, desc));
  }

  /// The zero point of the input takes the same off each sum of a filter, so that its bias can
  /// contain that, unless padding stands for the zero point somewhere. oneDNN's fast kernels know
  /// no zero points of inputs. False: there is none, or it stays.
  bool FoldInputZeroPoint() {
    const std::int64_t zero_point = requantisation_.input_zero_point;
    if (zero_point == 0 || convolution_.dims.IsPadded()) return false;
    const std::size_t num_filters = requantisation_.zero_points.size();
    std::vector<std::int32_t> folded = bias_;
    folded.resize(num_filters);
    const auto* weights = static_cast<const std::int8_t*>(maker_.GetInput(1).content.get());
    const std::int64_t num_terms =
        maker_.GetInput(1).info.shape.GetNumElements() / static_cast<std::int64_t>(num_filters);
    for (std::int32_t& bias : folded) {
      const std::int64_t sum = std::accumulate(weights, weights + num_terms, std::int64_t{0});
      const std::int64_t folded_bias = bias - zero_point * sum;
      if (folded_bias != static_cast<std::int32_t>(folded_bias)) return false;
      bias = static_cast<std::int32_t>(folded_bias);
      weights += num_terms;
    }
    bias_ = std::move(folded);
    requantisation_.input_zero_point = 0;
    return true;
  }

  bool CanUsePrimitive() const {
    const GraphTensor& weights = maker_.GetInput(1);
    if (!HasExactByteProducts() || !weights.IsConstant() || weights.info.GetSizeBytes() == 0 ||
        maker_.GetInput(0).info.GetSizeBytes() == 0 || weights.info.data_type != DataType::kInt8 ||
        !AreZero(requantisation_.zero_points)) {
      return false;
    }
    return !operands_.HasBias() || maker_.GetInput(2).IsConstant();
  }

  bool AreAllExact() const {
    const ConvolutionDims& dims = convolution_.dims;
    const std::size_t num_outer = dims.weights.size() > dims.input.size() ? 2 : 1;
    return AreSumsExact({maker_.GetInput(1), convolution_.weights, num_outer},
                        bias_.empty() ? nullptr : bias_.data(), requantisation_,
                        maker_.GetInput(0).info.data_type);
  }

  memory::desc DescribeInput() const {
    return DescribeChannelsLast(convolution_.dims.input, maker_.GetInput(0).info.data_type);
  }
  memory::desc DescribeOutput() const {
    return DescribeChannelsLast(convolution_.dims.output, maker_.GetOutput().info.data_type);
  }

  ConvolutionDesc Describe(const ConvolutionOperands& operands, const memory::desc& output,
                           const dnnl::primitive_attr& attributes) const {
    return operands.Describe<dnnl::convolution_forward>(dnnl::algorithm::convolution_direct,
                                                        DescribeInput(), output, attributes);
  }

  static std::unique_ptr<const Kernel> MakeKernel(ConvolutionOperands& operands,
                                                  const ConvolutionDesc& desc) {
    return operands.MakeKernel<dnnl::convolution_forward>(desc, dnnl::algorithm::convolution_direct,
                                                          operands.TakeArguments(desc));
  }

  KernelMaker& maker_;
  const QuantisedConvolution convolution_;
  Requantisation requantisation_;
  std::vector<std::int32_t> bias_;  // for primitives; empty: none
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

std::unique_ptr<const Kernel> MakeQuantisedByPrimitive(KernelMaker& maker) {
  return QuantisedMaker(maker).MakeByPrimitive();
}

std::unique_ptr<const Kernel> MakeQuantisedByLoops(KernelMaker& maker) {
  return QuantisedMaker(maker).MakeByLoops();
}

}  // namespace cpuacc
}  // namespace backplane
