#include "quantised/integer_convolution.hpp"

#include "convolutions/convolution_operands.hpp"
#include "layout/channels_last.hpp"
#include "making/post_ops.hpp"
#include "quantised/byte_convolution.hpp"
#include "quantised/exact_sums.hpp"
#include "quantised/requantising_attributes.hpp"

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

  std::unique_ptr<const Kernel> Make() {
    operands_.TakeLayouts(DescribeInput(), DescribeOutput());
    if (CanUsePrimitive()) {
      if (auto kernel = MakePrimitive()) return kernel;
    }
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
    if (!HasExactByteProducts() || !weights.IsConstant() ||
        weights.info.data_type != DataType::kInt8 || !zero_points_.weights.AreKnown() ||
        !zero_points_.weights.AreOne() || zero_points_.weights.GetKnown(0) != 0) {
      return false;
    }
    return maker_.GetOutput().info.data_type == DataType::kFloat32 || AreSumsSmall();
  }

  /// Sums become float32 before they become int32.
  bool AreSumsSmall() const {
    const DataType type = maker_.GetInput(0).info.data_type;
    const std::int32_t least = type == DataType::kInt8 ? -128 : 0;
    for (const std::int32_t zero_point : {least, least + 255}) {
      cpu_layers::Requantisation sums = requantisation_;
      sums.multipliers.assign(sums.zero_points.size(), 1.0F);
      sums.input_zero_point = zero_point;
      if (!AreSumsExact({maker_.GetInput(1), convolution_.weights, CountOuterAxes()}, nullptr, sums,
                        type)) {
        return false;
      }
    }
    return true;
  }

  /// Of the weights: filters, and groups.
  std::size_t CountOuterAxes() const {
    return convolution_.dims.weights.size() > convolution_.dims.input.size() ? 2 : 1;
  }

  memory::desc DescribeInput() const {
    return DescribeChannelsLast(convolution_.dims.input, maker_.GetInput(0).info.data_type);
  }
  memory::desc DescribeOutput() const {
    return DescribeChannelsLast(convolution_.dims.output, maker_.GetOutput().info.data_type);
  }

  /// Null when oneDNN has no fast one.
  std::unique_ptr<const Kernel> MakePrimitive() {
    dnnl::primitive_attr attributes = MakeRequantisingAttributes(requantisation_);
    SetUnknownZeroPoints(zero_points_, attributes);
    FusedOps fused;
    std::size_t count = 0;
    const ConvolutionDesc desc = MakeWithFusedOps(
        maker_, convolution_.dims.output, 1, attributes, fused, count,
        [&](const dnnl::primitive_attr& with_ops) {
          return operands_.Describe<dnnl::convolution_forward>(
              dnnl::algorithm::convolution_direct, DescribeInput(), DescribeOutput(), with_ops);
        });
    if (!desc || IsSlow(desc.impl_info_str())) return nullptr;
    std::vector<PrimitiveArgument> arguments = operands_.TakeArguments(desc);
    AddUnknownZeroPoints(zero_points_, arguments);
    TakeFusedOps(maker_, fused, count, desc.dst_desc(), arguments);
    auto kernel = operands_.MakeKernel<dnnl::convolution_forward>(
        desc, dnnl::algorithm::convolution_direct, std::move(arguments));
    return MakeWithWideZeroPoints(maker_, zero_points_, 0, std::move(kernel));
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

std::unique_ptr<const Kernel> MakeConvolutionOfPlainBytes(KernelMaker& maker) {
  return IntegerConvolutionMaker(maker).Make();
}

}  // namespace cpuacc
}  // namespace backplane
