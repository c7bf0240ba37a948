#pragma once

/// What reduces tensors over sets of axes: Reduce, and pooling of all that is behind the channels.

#include "cpu_layers/axis_set.hpp"
#include "kernel_builders/kernel_maker.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Reduces input 0 over these axes, which the output has not, or with extent 1.
std::unique_ptr<const Kernel> MakeReduction(KernelMaker& maker, ReduceOperation operation,
                                            const cpu_layers::AxisSet& axes);

}  // namespace cpuacc
}  // namespace backplane
