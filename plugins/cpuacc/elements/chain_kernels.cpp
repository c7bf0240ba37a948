#include "elements/chain_kernels.hpp"

#include "elements/chain_builder.hpp"
#include "making/primitive.hpp"

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

}  // namespace

std::unique_ptr<const Kernel> MakeElements(KernelMaker& maker) {
  const Layout layout = ChooseLayout(maker);
  maker.SetOutput(0, layout);
  ChainBuilder builder(maker, layout, *FindPhysicalAxes(maker.GetOutput().info, layout));
  builder.BeginWithInput();
  for (const ElementOp& op : maker.GetNode().chain) builder.Add(op);
  return MakeSequence(builder.Finish());
}

std::unique_ptr<const Kernel> MakeChainInPlace(KernelMaker& maker) {
  const Layout layout = maker.GetOutputLayout();
  auto axes = FindPhysicalAxes(maker.GetOutput().info, layout);
  if (!axes) throw std::logic_error("a chain behind a kernel whose output is not dense");
  ChainBuilder builder(maker, layout, std::move(*axes));
  builder.BeginInPlace();
  const std::vector<ElementOp>& chain = maker.GetNode().chain;
  for (std::size_t index = maker.GetNumTakenOps(); index < chain.size(); ++index) {
    builder.Add(chain[index]);
  }
  return MakeSequence(builder.Finish());
}

}  // namespace cpuacc
}  // namespace backplane
