#include "kernel.hpp"

#include "cpu_layers/layer_checks.hpp"
#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpuref {
namespace {

struct KernelRow {
  LayerType type;
  std::string (*find_refusal)(const Layer& layer);
  std::unique_ptr<Kernel> (*make)(const Layer& layer);
};

constexpr KernelRow kKernels[] = {
#define CPUREF_KERNEL(name) {LayerType::k##name, &FindRefusalOf##name, &Make##name},
#include "kernels.def"
#undef CPUREF_KERNEL
};

const KernelRow* FindKernelRow(LayerType type) {
  for (const KernelRow& row : kKernels) {
    if (row.type == type) return &row;
  }
  return nullptr;
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

std::unique_ptr<Kernel> MakeKernel(const Layer& layer) {
  return FindKernelRow(layer.type)->make(layer);
}

}  // namespace cpuref
}  // namespace backplane
