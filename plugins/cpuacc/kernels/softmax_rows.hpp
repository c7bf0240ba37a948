#pragma once

/// What Softmax and LogSoftmax have in common.

#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/softmax.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

enum class SoftmaxResult { kProbabilities, kLogarithms };

/// Refuses an axis or an output that does not go with the input.
void RequireSoftmaxRows(const Layer& layer, Refusal& refusal);

std::unique_ptr<const Kernel> MakeSoftmaxRows(KernelMaker& maker, SoftmaxResult result);

}  // namespace cpuacc
}  // namespace backplane
