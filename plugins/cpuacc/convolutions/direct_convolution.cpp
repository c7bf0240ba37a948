#include "convolutions/direct_convolution.hpp"

#include "convolutions/convolution_operands.hpp"
#include "elements/element_steps.hpp"
#include "kernel_builders/bfloat16_products.hpp"
#include "kernel_builders/post_ops.hpp"
#include "layout/channel_blocks.hpp"

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
using ConvolutionDesc = dnnl::convolution_forward::primitive_desc;

/// Whether a pass over what has just been computed takes less time than oneDNN's operation of that
/// name, where it has one. Such functions give 0 for 0, which fills up blocks.
bool IsFasterBehind(const ElementOp& op) {
  return op.kind == ElementOp::Kind::kActivation &&
         (op.activation == ActivationFunction::kSwish ||
          op.activation == ActivationFunction::kGeluTanH ||
          op.activation == ActivationFunction::kMish);
}

/// The convolution of a node, before oneDNN is asked for a kernel.
class DirectConvolution {
 public:
  explicit DirectConvolution(KernelMaker& maker)
      : DirectConvolution(maker, MakeConvolutionDims<ConvolutionDescriptor>(maker)) {}

  /// Null: oneDNN has none with AMX.
  std::unique_ptr<const Kernel> MakeOfBfloat16() {
    Setting setting = GetAny();
    setting.input = ToBfloat16(setting.input);
    const ConvolutionDesc desc = Describe(setting, MakeAttributes());
    if (!desc || !UsesTiles(desc.impl_info_str())) return nullptr;
    const auto num_elements =
        static_cast<std::int64_t>(desc.src_desc().get_size() / sizeof(std::uint16_t));
    return MakeWithBfloat16Input(maker_, num_elements, MakeAs(setting));
  }

  /// Null as by MakeBlockedConvolution.
  std::unique_ptr<const Kernel> MakeInBlocks() {
    const std::optional<Setting> blocks = FindBlocks();
    return blocks ? MakeAs(*blocks) : nullptr;
  }

  std::unique_ptr<const Kernel> MakeInAnyLayout() { return MakeAs(GetAny()); }

  /// The primitive without the chain, in blocks or else in any layout.
  ConvolutionDesc DescribeBare() const {
    return Describe(FindBlocks().value_or(GetAny()), MakeAttributes());
  }

  /// The kernel of what DescribeBare gave.
  std::unique_ptr<const Kernel> MakeBare(const ConvolutionDesc& desc) {
    return operands_.MakeKernel<dnnl::convolution_forward>(
        desc, dnnl::algorithm::convolution_direct, operands_.TakeArguments(desc));
  }

  const ConvolutionDims& GetDims() const { return dims_; }

 private:
  /// Layouts for which oneDNN is asked.
  struct Setting {
    memory::desc input;
    memory::desc output;
  };

  DirectConvolution(KernelMaker& maker, const ConvolutionDims& dims)
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

  /// The kernel with as many of the first `most` operations as it takes. With a function behind
  /// them: null where it does not take all.
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

  Setting GetAny() const {
    return {DescribeAny(dims_.input, DataType::kFloat32),
            DescribeAny(dims_.output, DataType::kFloat32)};
  }

  /// Channels in blocks: no layout has faster convolutions on the whole, depthwise ones and those
  /// by Winograd's algorithm have no faster one, and joins along the channels move nothing.
  std::optional<Setting> FindBlocks() const {
    const std::int64_t block = GetNativeChannelBlock();
    const auto input = MakeChannelBlocks(maker_.GetInput(0).info, block);
    const auto output = MakeChannelBlocks(maker_.GetOutput().info, block);
    if (!input || !output) return {};
    const Setting setting = {
        dims_.Describe(maker_.GetInput(0).info, ReadsPlain(block) ? Layout() : *input),
        dims_.Describe(maker_.GetOutput().info, *output)};
    if (!IsFast(Describe(setting, MakeAttributes()))) return {};
    return setting;
  }

  /// Plain channels are read at full speed where they are fewer than a block.
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

  std::ptrdiff_t GetSpatialRank() const {
    return static_cast<std::ptrdiff_t>(dims_.strides.size());
  }
  bool HasOneGroup() const { return dims_.weights.size() == dims_.input.size(); }

  KernelMaker& maker_;
  ConvolutionOperands operands_;
  const ConvolutionDims& dims_ = operands_.GetDims();
};

}  // namespace

std::unique_ptr<const Kernel> MakeBfloat16Convolution(KernelMaker& maker) {
  return MultipliesBfloat16(maker) ? DirectConvolution(maker).MakeOfBfloat16() : nullptr;
}

std::unique_ptr<const Kernel> MakeBlockedConvolution(KernelMaker& maker) {
  return DirectConvolution(maker).MakeInBlocks();
}

std::unique_ptr<const Kernel> MakeAnyConvolution(KernelMaker& maker) {
  return DirectConvolution(maker).MakeInAnyLayout();
}

Way MakeDirectWay(KernelMaker& maker) {
  const auto direct = std::make_shared<DirectConvolution>(maker);
  const ConvolutionDesc desc = direct->DescribeBare();
  Way way;
  way.name = desc.impl_info_str();
  way.make = [direct, desc] { return direct->MakeBare(desc); };
  way.input = direct->GetDims().ToLayout(desc.src_desc(), maker.GetInput(0).info);
  way.output = direct->GetDims().ToLayout(desc.dst_desc(), maker.GetOutput().info);
  return way;
}

}  // namespace cpuacc
}  // namespace backplane
