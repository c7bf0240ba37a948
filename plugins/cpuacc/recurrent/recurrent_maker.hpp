#pragma once

/// From a recurrent layer to its kernel.

#include "cpu_layers/recurrent_layer.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/layer.hpp"
#include "recurrent/recurrent_kernel.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Refuses all that is wrong with the layer, but for its cells.
void CheckRecurrent(const Layer& layer, const RecurrentOptions& options, Refusal& refusal);

/// Makes the kernel of a layer that has passed.
std::unique_ptr<const Kernel> MakeRecurrent(KernelMaker& maker, const RecurrentOptions& options,
                                            const RecurrentCells& cells);

}  // namespace cpuacc
}  // namespace backplane
