#pragma once

/// Finds the kernel of a node.

#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/layer.hpp"

#include <memory>
#include <string>

namespace backplane {
namespace cpuacc {

enum class Chains { kFused, kSeparate };

/// FindRefusalOf<name> says why a layer cannot be run, and nothing when it can; Make<name> makes
/// the kernel of a node of that type. It may take over the beginning of the node's chain.
#define CPUACC_KERNEL(name, chains)                    \
  std::string FindRefusalOf##name(const Layer& layer); \
  std::unique_ptr<const Kernel> Make##name(KernelMaker& maker);
#define CPUACC_ELEMENTS(name) std::string FindRefusalOf##name(const Layer& layer);
#include "kernels/kernels.def"
#undef CPUACC_KERNEL
#undef CPUACC_ELEMENTS

/// Whether chains are worth running with the kernel of this layer type.
bool FusesChains(LayerType type);

/// Says why CpuAcc cannot run the layer; empty when it can, with float32 inside where the layer's
/// floats have 16 bits (passes/widen_halves.cpp).
std::string FindRefusal(const Layer& layer);

/// Says why no kernel runs the layer with the types that it has; empty when one does.
std::string FindKernelRefusal(const Layer& layer);

/// Makes the kernel of any node.
/// Errors: dnnl::error.
std::unique_ptr<const Kernel> MakeKernel(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
