#include "quantised/integer_convolution.hpp"

#include "convolutions/convolution_operands.hpp"
#include "elements/chain_kernels.hpp"
#include "kernel_builders/post_ops.hpp"
#include "layout/channels_last.hpp"
#include "quantised/byte_convolution.hpp"
#include "quantised/exact_sums.hpp"
#include "quantised/requantising_attributes.hpp"
#include "quantised/window_correction.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;
using ConvolutionDesc = dnnl::convolution_forward::primitive_desc;

class IntegerConvolutionMaker {
 public:
  explicit IntegerConvolutionMaker(KernelMaker& maker)
      : IntegerConvolutionMaker(maker, MakeConvolutionDims<ConvolutionDescriptor>(maker)) {}

  /// Null when oneDNN has nothing fast and exact.
  std::unique_ptr<const Kernel> MakeByPrimitive() {
    if (!CanUsePrimitive()) return nullptr;
    const DataType result = maker_.GetOutput().info.data_type;
    operands_.TakeLayouts(DescribeInput(), DescribeOutput(result));
    if (HasNoWeightZeroPoints() && result == DataType::kFloat32) return MakePrimitive(result);
    // A sum for each window is worth it where many filters share it.
    constexpr std::int64_t kLeastFilters = 16;
    const std::int64_t of_group = convolution_.dims.weights[CountOuterAxes() - 1];
    const bool is_worthwhile = HasNoWeightZeroPoints() || of_group >= kLeastFilters;
    return is_worthwhile && AreSumsSmall() ? MakeFromIntegers(result) : nullptr;
  }

  std::unique_ptr<const Kernel> MakeByLoops() {
    operands_.TakeLayouts(DescribeInput(), DescribeOutput(maker_.GetOutput().info.data_type));
    for (std::uint32_t input = 2; input < CountLayerInputs(maker_.GetNode()); ++input) {
      maker_.WantPlain(input);
    }
    return MakeByteConvolution(maker_, convolution_, requantisation_, zero_points_);
  }

 private:
  IntegerConvolutionMaker(KernelMaker& maker, const ConvolutionDims& dims)
      : maker_(maker),
        convolution_{dims, dims.DescribePlainWeights(maker.GetInput(1).info.data_type),
                     maker.GetOutput().info.data_type},
        zero_points_(maker),
        requantisation_(TakeKnownZeroPoints(zero_points_, maker.GetInput(1).info.shape[0])),
        operands_(maker, dims, convolution_.weights) {}

  bool CanUsePrimitive() const {
    const GraphTensor& weights = maker_.GetInput(1);
    return HasExactByteProducts() && weights.IsConstant() &&
           weights.info.data_type == DataType::kInt8;
  }

  bool HasNoWeightZeroPoints() const {
    const ZeroPointInput& weights = zero_points_.weights;
    return weights.AreKnown() && weights.AreOne() && weights.GetKnown(0) == 0;
  }

  /// Sums of int32 are float32 before, in oneDNN: those without the zero points of the weights.
  bool AreSumsSmall() const {
    const DataType type = maker_.GetInput(0).info.data_type;
    const std::int32_t least = type == DataType::kInt8 ? -128 : 0;
    for (const std::int32_t zero_point : {least, least + 255}) {
      cpu_layers::Requantisation sums = requantisation_;
      sums.zero_points.assign(sums.zero_points.size(), 0);
      sums.multipliers.assign(sums.zero_points.size(), 1.0F);
      sums.input_zero_point = zero_point;
      if (!AreSumsExact({maker_.GetInput(1), convolution_.weights, CountOuterAxes()}, nullptr, sums,
                        type)) {
        return false;
      }
    }
    return true;
  }

  /// Outer axes of the weights: filters, and groups.
  std::size_t CountOuterAxes() const {
    return convolution_.dims.weights.size() > convolution_.dims.input.size() ? 2 : 1;
  }

  memory::desc DescribeInput() const {
    return DescribeChannelsLast(convolution_.dims.input, maker_.GetInput(0).info.data_type);
  }
  memory::desc DescribeOutput(DataType type) const {
    return DescribeChannelsLast(convolution_.dims.output, type);
  }

  ZeroPointInputs GetZeroPointOfElements() const {
    return {zero_points_.elements, ZeroPointInput(0)};
  }

  dnnl::primitive_attr DescribeZeroPointOfElements() const {
    dnnl::primitive_attr attributes =
        MakeRequantisingAttributes(TakeKnownZeroPoints(GetZeroPointOfElements(), 1));
    SetUnknownZeroPoints(GetZeroPointOfElements(), attributes);
    return attributes;
  }

  /// Null when oneDNN has no fast one.
  std::unique_ptr<const Kernel> MakePrimitive(DataType result) {
    const auto describe = [&](const dnnl::primitive_attr& attributes) {
      return operands_.Describe<dnnl::convolution_forward>(
          dnnl::algorithm::convolution_direct, DescribeInput(), DescribeOutput(result), attributes);
    };
    FusedOps fused;
    std::size_t count = 0;
    // Chains are of numbers.
    const ConvolutionDesc desc =
        result == DataType::kInt32
            ? describe(DescribeZeroPointOfElements())
            : MakeWithFusedOps(maker_, convolution_.dims.output, 1, DescribeZeroPointOfElements(),
                               fused, count, describe);
    if (!desc || IsSlow(desc.impl_info_str())) return nullptr;
    std::vector<PrimitiveArgument> arguments = operands_.TakeArguments(desc);
    AddUnknownZeroPoints(GetZeroPointOfElements(), arguments);
    TakeFusedOps(maker_, fused, count, desc.dst_desc(), arguments);
    auto kernel = operands_.MakeKernel<dnnl::convolution_forward>(
        desc, dnnl::algorithm::convolution_direct, std::move(arguments));
    return MakeWithWideZeroPoints(maker_, GetZeroPointOfElements(), 0, std::move(kernel));
  }

  /// Takes up to three steps; null as by MakePrimitive.
  std::unique_ptr<const Kernel> MakeFromIntegers(DataType result) {
    std::vector<std::unique_ptr<const Kernel>> kernels;
    kernels.push_back(MakePrimitive(DataType::kInt32));
    if (!kernels[0]) return nullptr;
    if (!HasNoWeightZeroPoints()) {
      kernels.push_back(MakeWindowCorrection(maker_, convolution_.dims, zero_points_));
    }
    if (result == DataType::kFloat32) kernels.push_back(MakeChainOnIntegers(maker_));
    return MakeSequence(std::move(kernels));
  }

  static bool IsSlow(const std::string& name) {
    return name.find("ref") != std::string::npos || name.find("gemm") != std::string::npos;
  }

  KernelMaker& maker_;
  const QuantisedConvolution convolution_;
  const ZeroPointInputs zero_points_;
  const cpu_layers::Requantisation requantisation_;
  ConvolutionOperands operands_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeIntegersByPrimitive(KernelMaker& maker) {
  return IntegerConvolutionMaker(maker).MakeByPrimitive();
}

std::unique_ptr<const Kernel> MakeIntegersByLoops(KernelMaker& maker) {
  return IntegerConvolutionMaker(maker).MakeByLoops();
}

}  // namespace cpuacc
}  // namespace backplane
