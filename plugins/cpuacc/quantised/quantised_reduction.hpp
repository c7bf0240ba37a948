#pragma once

/// Sums, means and extremes of quantised bytes, exact: sums are integers, and what they stand for
/// is a number of double without loss.

#include "cpu_layers/axis_set.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/layer.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Refuses a Reduce layer on quantised tensors that has no such kernel.
void RequireQuantisedReduction(const Layer& layer, Refusal& refusal);

/// Reduces input 0 over these axes. Both tensors are bytes with one scale each.
std::unique_ptr<const Kernel> MakeQuantisedReduction(KernelMaker& maker, ReduceOperation operation,
                                                     const cpu_layers::AxisSet& axes);

}  // namespace cpuacc
}  // namespace backplane
