#include "kernels/kernel_table.hpp"

#include "cpu_layers/layer_checks.hpp"
#include "kernels/copy.hpp"
#include "kernels/elements.hpp"
#include "kernels/primitive.hpp"

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

const KernelRow* FindKernelRow(LayerType type) {
  for (const KernelRow& row : kKernels) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

bool HasElements(const GraphTensor& tensor) {
  return tensor.info.shape.GetNumElements() != 0;
}

/// Beside an extent of 0 others may be so large that going over them would not end.
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

std::string DescribeSupportedLayers() {
  std::string names;
  for (const KernelRow& row : kKernels) {
    names += (names.empty() ? "" : ", ") + std::string(GetLayerTypeName(row.type));
  }
  return names;
}

}  // namespace

std::string FindRefusal(const Layer& layer) {
  const KernelRow* row = FindKernelRow(layer.type);
  if (row == nullptr) {
    return Text("layer type ", GetLayerTypeName(layer.type), " (",
                static_cast<std::uint32_t>(layer.type), ") is not supported, only ",
                DescribeSupportedLayers());
  }
  Refusal refusal;
  RequireSoundLayer(layer, refusal);
  return refusal.IsEmpty() ? row->find_refusal(layer) : refusal.GetReason();
}

bool FusesChains(LayerType type) {
  const KernelRow* row = FindKernelRow(type);
  return row != nullptr && row->chains == Chains::kFused;
}

std::unique_ptr<const Kernel> MakeKernel(KernelMaker& maker) {
  const Node& node = maker.GetNode();
  if (MakesNothing(maker)) return MakeNothing(maker);
  if (node.kind == NodeKind::kElements) return MakeElements(maker);
  std::vector<std::unique_ptr<const Kernel>> kernels;
  kernels.push_back(FindKernelRow(node.type)->make(maker));
  if (maker.GetNumTakenOps() < node.chain.size()) kernels.push_back(MakeChainInPlace(maker));
  return MakeSequence(std::move(kernels));
}

}  // namespace cpuacc
}  // namespace backplane
