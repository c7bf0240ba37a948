#include "elements/chain_kernels.hpp"

#include "elements/chain_builder.hpp"
#include "kernel_builders/primitive.hpp"

#include <stdexcept>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Whether an input is there in another layout than plain, in which the output can be, too.
bool HasLayoutForOutput(const KernelMaker& maker, std::uint32_t input) {
  return maker.GetInput(input).info.shape == maker.GetOutput().info.shape &&
         !maker.GetLayout(input).IsPlain() &&
         FindPhysicalAxes(maker.GetInput(input).info, maker.GetLayout(input)).has_value();
}

/// The first layout that an input of the output's shape has and that is not plain.
Layout ChooseLayout(const KernelMaker& maker) {
  for (std::uint32_t input = 0; input < maker.GetNumInputs(); ++input) {
    if (HasLayoutForOutput(maker, input)) return maker.GetLayout(input);
  }
  return Layout();
}

ChainBuilder MakeBuilder(KernelMaker& maker) {
  const Layout layout = maker.GetOutputLayout();
  auto axes = FindPhysicalAxes(maker.GetOutput().info, layout);
  if (!axes) throw std::logic_error("a chain behind a kernel whose output is not dense");
  return ChainBuilder(maker, layout, std::move(*axes));
}

std::unique_ptr<const Kernel> AddOpsFrom(std::size_t first, const KernelMaker& maker,
                                         ChainBuilder& builder) {
  const std::vector<ElementOp>& chain = maker.GetNode().chain;
  for (std::size_t index = first; index < chain.size(); ++index) builder.Add(chain[index]);
  return MakeSequence(builder.Finish());
}

std::unique_ptr<const Kernel> ConvertAndAddOps(KernelMaker& maker, ChainBuilder& builder,
                                               const std::vector<float>& scales = {}) {
  builder.AddConversion();
  if (!scales.empty()) builder.AddScales(scales);
  maker.TakeOps(maker.GetNode().chain.size());
  return AddOpsFrom(0, maker, builder);
}

}  // namespace

std::unique_ptr<const Kernel> MakeElements(KernelMaker& maker) {
  const Layout layout = ChooseLayout(maker);
  maker.SetOutput(0, layout);
  ChainBuilder builder(maker, layout, *FindPhysicalAxes(maker.GetOutput().info, layout));
  builder.BeginWithInput();
  return AddOpsFrom(0, maker, builder);
}

std::unique_ptr<const Kernel> MakeChainInPlace(KernelMaker& maker) {
  ChainBuilder builder = MakeBuilder(maker);
  builder.BeginInPlace();
  return AddOpsFrom(maker.GetNumTakenOps(), maker, builder);
}

std::unique_ptr<const Kernel> MakeChainOnIntegers(KernelMaker& maker,
                                                  const std::vector<float>& scales) {
  ChainBuilder builder = MakeBuilder(maker);
  builder.BeginInPlace();
  return ConvertAndAddOps(maker, builder, scales);
}

std::unique_ptr<const Kernel> MakeChainOfIntegers(KernelMaker& maker) {
  ChainBuilder builder = MakeBuilder(maker);
  builder.BeginWithInput();
  // The layout of the output says float32.
  maker.WantInput(0, maker.GetOutputLayout().IsPlain() ? Layout() : maker.GetLayout(0));
  return ConvertAndAddOps(maker, builder);
}

}  // namespace cpuacc
}  // namespace backplane
