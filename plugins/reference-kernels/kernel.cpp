#include "kernel.hpp"

#include "cpu_layers/kernel_rows.hpp"

namespace backplane {
namespace reference {
namespace {

struct KernelRow {
  LayerType type;
  std::string (*find_refusal)(const Layer& layer);
  std::unique_ptr<Kernel> (*make)(const Layer& layer);
};

constexpr KernelRow kKernels[] = {
#define REFERENCE_KERNEL(name) {LayerType::k##name, &FindRefusalOf##name, &Make##name},
#include "kernels.def"
#undef REFERENCE_KERNEL
};

}  // namespace

std::string FindRefusal(const Layer& layer) {
  return cpu_layers::FindRefusalByRows(kKernels, layer);
}

std::unique_ptr<Kernel> MakeKernel(const Layer& layer) {
  return cpu_layers::FindKernelRow(kKernels, layer.type)->make(layer);
}

}  // namespace reference
}  // namespace backplane
