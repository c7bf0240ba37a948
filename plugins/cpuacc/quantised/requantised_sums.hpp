#pragma once

#include "cpu_layers/requantisation.hpp"
#include "kernel_builders/kernel_maker.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Makes bytes of the sums of products that `kernel` makes, [rows, channels], in int32: a constant
/// bias is added to them before they are rounded in any way. `bias` is that of the node, see
/// ReadBias, or what takes its place; empty: there is none.
std::unique_ptr<const Kernel> MakeRequantisedSums(KernelMaker& maker,
                                                  const cpu_layers::Requantisation& requantisation,
                                                  std::vector<std::int32_t> bias,
                                                  std::unique_ptr<const Kernel> kernel);

/// The constant int32 in input 2 of a node, or nothing where it has no bias.
std::vector<std::int32_t> ReadBias(const KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
