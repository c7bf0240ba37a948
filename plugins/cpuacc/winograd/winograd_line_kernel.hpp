#pragma once

#include "kernel_builders/kernel.hpp"
#include "winograd/winograd_line_problem.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of a problem whose tensors and lines have places. Its inputs are those of the
/// convolution, but for the weights, which TransformWeights made. Runs with at most `num_threads`.
std::unique_ptr<const Kernel> MakeWinogradLineKernel(const LineProblem& problem,
                                                     std::shared_ptr<const void> weights,
                                                     bool has_bias, int num_threads);

}  // namespace cpuacc
}  // namespace backplane
