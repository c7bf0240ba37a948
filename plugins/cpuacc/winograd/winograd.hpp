#pragma once

/// Winograd's algorithm for convolutions: fewer multiplications, more additions, and another error.

#include "making/kernel_maker.hpp"
#include "making/trial.hpp"
#include "winograd/image_problem.hpp"

#include <cstddef>
#include <functional>

namespace backplane {
namespace cpuacc {

/// Whether tiles are faster than the direct way, which is made when the two must be timed, with the
/// threads that are set, and their error is small. Input 1, the weights, is constant.
bool PrefersTiles(KernelMaker& maker, const ImageProblem& problem,
                  const std::function<Way()>& make_direct);

/// How many trials PrefersTiles makes of the convolutions of a graph, before the passes, with a
/// number of threads: of equal ones, one.
std::size_t CountTrials(const Graph& graph, int num_threads);

}  // namespace cpuacc
}  // namespace backplane
