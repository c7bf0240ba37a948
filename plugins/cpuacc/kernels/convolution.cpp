#include "convolutions/convolution_operands.hpp"
#include "convolutions/narrow_convolution.hpp"
#include "cpu_layers/convolution_refusal.hpp"
#include "elements/element_steps.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/channel_blocks.hpp"
#include "making/bfloat16_products.hpp"
#include "making/post_ops.hpp"
#include "moves/copy.hpp"
#include "products/bias_fill.hpp"
#include "quantised/byte_geometry.hpp"
#include "quantised/quantised_convolution.hpp"
#include "winograd/winograd.hpp"
#include "winograd/winograd_image.hpp"
#include "winograd/winograd_line.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

/// A way to compute a convolution by oneDNN.
using ConvolutionDesc = dnnl::convolution_forward::primitive_desc;

/// Whether a pass over what has just been computed takes less time than oneDNN's operation of that
/// name, where it has one. Such functions give 0 for 0, which fills up blocks.
bool IsFasterBehind(const ElementOp& op) {
  return op.kind == ElementOp::Kind::kActivation &&
         (op.activation == ActivationFunction::kSwish ||
          op.activation == ActivationFunction::kGeluTanH ||
          op.activation == ActivationFunction::kMish);
}

/// The convolution of a node, before the way in which it is computed is chosen.
class ConvolutionMaker {
 public:
  explicit ConvolutionMaker(KernelMaker& maker)
      : ConvolutionMaker(maker, MakeConvolutionDims<ConvolutionDescriptor>(maker)) {}

  /// Null: oneDNN has none for it that is faster.
  std::unique_ptr<const Kernel> MakeOfBfloat16() {
    const Setting setting = {ToBfloat16(DescribeAny(dims_.input, DataType::kFloat32)),
                             DescribeAny(dims_.output, DataType::kFloat32)};
    const ConvolutionDesc desc = Describe(setting, MakeAttributes());
    if (!desc || !UsesTiles(desc.impl_info_str())) return nullptr;
    const auto num_elements =
        static_cast<std::int64_t>(desc.src_desc().get_size() / sizeof(std::uint16_t));
    return MakeWithBfloat16Input(maker_, num_elements, MakeAs(setting));
  }

  std::unique_ptr<const Kernel> Make() {
    const Setting any{DescribeAny(dims_.input, DataType::kFloat32),
                      DescribeAny(dims_.output, DataType::kFloat32)};
    if (!maker_.GetInput(1).IsConstant()) return MakeAs(any);
    const bool is_off = maker_.GetOptions().winograd == cpuacc::Winograd::kOff;
    const std::optional<ImageProblem> images = FindImageProblem(maker_);
    if (!is_off && images && AreTilesBetter(*images, any)) {
      return MakeWinogradImage(maker_, *images);
    }
    return MakeAs(ChooseDirect(any));
  }

 private:
  /// What oneDNN is asked for.
  struct Setting {
    memory::desc input;
    memory::desc output;
  };

  ConvolutionMaker(KernelMaker& maker, const ConvolutionDims& dims)
      : maker_(maker), operands_(maker, dims, dims.DescribePlainWeights(DataType::kFloat32)) {}

  ConvolutionDesc Describe(const Setting& setting, const dnnl::primitive_attr& attributes) const {
    return operands_.Describe<dnnl::convolution_forward>(dnnl::algorithm::convolution_direct,
                                                         setting.input, setting.output, attributes);
  }

  std::unique_ptr<const Kernel> MakeAs(const Setting& setting) {
    const std::vector<ElementOp>& chain = maker_.GetNode().chain;
    const auto behind = std::find_if(chain.begin(), chain.end(), IsFasterBehind);
    if (behind != chain.end()) {
      const ElementStep step = MakeStep(GetSimdFunctions(), *behind, std::nullopt);
      const auto before = static_cast<std::size_t>(behind - chain.begin());
      auto kernel = MakeWithOps(setting, before, {step.map, step.alpha, step.beta});
      if (kernel) return kernel;
    }
    return MakeWithOps(setting, chain.size(), {});
  }

  /// With as many as can be of the first `most` operations, or with all of them and the function
  /// behind, or null.
  std::unique_ptr<const Kernel> MakeWithOps(const Setting& setting, std::size_t most,
                                            const PartFunction& function) {
    FusedOps fused;
    std::size_t count = 0;
    const ConvolutionDesc desc = MakeWithFusedOps(
        maker_, dims_.output, 1, MakeAttributes(), fused, count,
        [&](const dnnl::primitive_attr& attributes) { return Describe(setting, attributes); },
        most);
    if (function.map != nullptr && (count < most || CountIfDense(desc.dst_desc()) == 0)) {
      return nullptr;
    }
    operands_.TakeLayouts(desc.src_desc(), desc.dst_desc());
    std::vector<PrimitiveArgument> arguments = operands_.TakeArguments(desc);
    TakeFusedOps(maker_, fused, count + (function.map != nullptr ? 1 : 0), desc.dst_desc(),
                 arguments);
    return operands_.MakeKernel<dnnl::convolution_forward>(
        desc, dnnl::algorithm::convolution_direct, std::move(arguments), function);
  }

  /// Channels in blocks: no layout has faster convolutions on the whole, depthwise ones and those
  /// by Winograd's algorithm have no faster one, and joins along the channels move nothing.
  Setting ChooseDirect(const Setting& any) const {
    const std::int64_t block = GetNativeChannelBlock();
    const auto input = MakeChannelBlocks(maker_.GetInput(0).info, block);
    const auto output = MakeChannelBlocks(maker_.GetOutput().info, block);
    if (!input || !output) return any;
    Setting setting = any;
    setting.input = dims_.Describe(maker_.GetInput(0).info, ReadsPlain(block) ? Layout() : *input);
    setting.output = dims_.Describe(maker_.GetOutput().info, *output);
    return IsFast(Describe(setting, MakeAttributes())) ? setting : any;
  }

  /// With fewer channels than a block, plain ones are read at full speed.
  bool ReadsPlain(std::int64_t block) const {
    const bool has_window = std::any_of(dims_.weights.end() - GetSpatialRank(), dims_.weights.end(),
                                        [](auto extent) { return extent > 1; });
    return HasOneGroup() && dims_.input[1] < block && (has_window || maker_.GetLayout(0).IsPlain());
  }

  static bool IsFast(const ConvolutionDesc& desc) {
    if (!desc) return false;
    const std::string name = desc.impl_info_str();
    return name.find("ref") == std::string::npos && name.find("gemm") == std::string::npos;
  }

  bool AreTilesBetter(const ImageProblem& images, const Setting& any) {
    return PrefersTiles(maker_, images, [&] { return ToWay(ChooseDirect(any)); });
  }

  /// To be tried out, with constant weights.
  Way ToWay(const Setting& setting) {
    const ConvolutionDesc desc = Describe(setting, MakeAttributes());
    Way way;
    way.name = desc.impl_info_str();
    way.make = [this, desc] {
      return operands_.MakeKernel<dnnl::convolution_forward>(
          desc, dnnl::algorithm::convolution_direct, operands_.TakeArguments(desc));
    };
    way.input = dims_.ToLayout(desc.src_desc(), maker_.GetInput(0).info);
    way.output = dims_.ToLayout(desc.dst_desc(), maker_.GetOutput().info);
    return way;
  }

  std::ptrdiff_t GetSpatialRank() const {
    return static_cast<std::ptrdiff_t>(dims_.strides.size());
  }
  bool HasOneGroup() const { return dims_.weights.size() == dims_.input.size(); }

  KernelMaker& maker_;
  ConvolutionOperands operands_;
  const ConvolutionDims& dims_ = operands_.GetDims();
};

}  // namespace

std::string FindRefusalOfConvolution(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireQuantisedBytes(layer, 0, refusal);
  } else {
    RequireFloat32(layer, refusal);
  }
  RequireConvolution(layer, refusal);
  RequireConvolutionBias(layer, refusal);
  if (refusal.IsEmpty()) RequireModestConvolution(layer, refusal);
  if (refusal.IsEmpty() && IsQuantised(layer)) RequireModestLine(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeConvolution(KernelMaker& maker) {
  if (IsEmpty(maker.GetOutput())) return MakeCopy(0);
  if (maker.GetOutput().info.quantization.IsQuantized()) return MakeQuantisedConvolution(maker);
  if (IsEmpty(maker.GetInput(0)) || IsEmpty(maker.GetInput(1))) return MakeBiasFill(maker, 1);
  if (MultipliesBfloat16(maker)) {
    if (auto kernel = ConvolutionMaker(maker).MakeOfBfloat16()) return kernel;
  }
  std::unique_ptr<const Kernel> lines = MakeWinogradLine(maker);
  if (lines) return lines;
  std::unique_ptr<const Kernel> narrow = MakeNarrowConvolution(maker);
  return narrow ? std::move(narrow) : ConvolutionMaker(maker).Make();
}

}  // namespace cpuacc
}  // namespace backplane
