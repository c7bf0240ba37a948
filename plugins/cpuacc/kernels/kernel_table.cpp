#include "kernels/kernel_table.hpp"

#include "attention/attention_kernel.hpp"
#include "cpu_layers/kernel_rows.hpp"
#include "elements/chain_kernels.hpp"
#include "kernel_builders/primitive.hpp"
#include "kernel_builders/widened_layer.hpp"
#include "moves/copy.hpp"
#include "moves/replaced_part.hpp"
#include "quantised/byte_table.hpp"
#include "quantised/byte_weights.hpp"

#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

struct KernelRow {
  LayerType type;
  std::string (*find_refusal)(const Layer& layer);
  std::unique_ptr<const Kernel> (*make)(KernelMaker& maker);  // null: it becomes a chain
  Chains chains;
};

constexpr KernelRow kKernels[] = {
#define CPUACC_KERNEL(name, chains) \
  {LayerType::k##name, &FindRefusalOf##name, &Make##name, Chains::chains},
#define CPUACC_ELEMENTS(name) {LayerType::k##name, &FindRefusalOf##name, nullptr, Chains::kFused},
#include "kernels/kernels.def"
#undef CPUACC_KERNEL
#undef CPUACC_ELEMENTS
};

/// Whether the type is known, and all that kernels rely on holds.
bool IsSound(const Layer& layer) {
  if (cpu_layers::FindKernelRow(kKernels, layer.type) == nullptr) return false;
  Refusal refusal;
  RequireSoundLayer(layer, refusal);
  return refusal.IsEmpty();
}

bool HasElements(const GraphTensor& tensor) {
  return tensor.info.shape.GetNumElements() != 0;
}

/// Loops over the other extents might not end: beside a 0 they may be as large as they like.
bool MakesNothing(const KernelMaker& maker) {
  for (std::uint32_t index = 0; index < maker.GetNode().outputs.size(); ++index) {
    if (HasElements(maker.GetOutput(index))) return false;
  }
  return true;
}

std::unique_ptr<const Kernel> MakeNothing(KernelMaker& maker) {
  for (std::uint32_t index = 0; index < maker.GetNumInputs(); ++index) maker.IgnoreInput(index);
  return MakeCopy(0);
}

}  // namespace

std::string FindRefusal(const Layer& layer) {
  std::string refusal = FindKernelRefusal(layer);
  if (refusal.empty() || !IsSound(layer) || !CanBeWidened(layer)) return refusal;
  return FindKernelRefusal(WidenedLayer(layer).Get());
}

std::string FindKernelRefusal(const Layer& layer) {
  return cpu_layers::FindRefusalByRows(kKernels, layer);
}

bool FusesChains(LayerType type) {
  const KernelRow* row = cpu_layers::FindKernelRow(kKernels, type);
  return row != nullptr && row->chains == Chains::kFused;
}

std::unique_ptr<const Kernel> MakeKernel(KernelMaker& maker) {
  const Node& node = maker.GetNode();
  if (MakesNothing(maker)) return MakeNothing(maker);
  if (node.kind == NodeKind::kElements) return MakeElements(maker);
  if (node.kind == NodeKind::kAttention) return MakeAttention(maker);
  if (node.kind == NodeKind::kByteTable) return MakeByteTableKernel(maker);
  if (node.kind == NodeKind::kReplacedPart) return MakeReplacedPart(maker);
  std::vector<std::unique_ptr<const Kernel>> kernels;
  kernels.push_back(node.kind == NodeKind::kByteWeights
                        ? MakeByteWeightProduct(maker)
                        : cpu_layers::FindKernelRow(kKernels, node.type)->make(maker));
  if (maker.GetNumTakenOps() < node.chain.size()) kernels.push_back(MakeChainInPlace(maker));
  return MakeSequence(std::move(kernels));
}

}  // namespace cpuacc
}  // namespace backplane
