#pragma once

#include "cpu_layers/axis_set.hpp"
#include "kernel_builders/kernel_maker.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Reduces plain integers (IsPlainInteger) in input 0 over these axes, as
/// cpu_layers/arithmetic.hpp says. The operation makes integers of integers.
std::unique_ptr<const Kernel> MakeIntegerReduction(KernelMaker& maker, ReduceOperation operation,
                                                   const cpu_layers::AxisSet& axes);

}  // namespace cpuacc
}  // namespace backplane
