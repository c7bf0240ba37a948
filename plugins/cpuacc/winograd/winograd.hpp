#pragma once

/// Winograd's algorithm for convolutions: fewer multiplications, more additions, and another error.

#include "making/kernel_maker.hpp"
#include "making/trial.hpp"
#include "winograd/image_problem.hpp"

#include <functional>

namespace backplane {
namespace cpuacc {

/// Whether tiles are faster than the direct way, which is made when the two must be timed, with the
/// threads that are set, and their error is small. Input 1, the weights, is constant.
bool PrefersTiles(KernelMaker& maker, const ImageProblem& problem,
                  const std::function<Way()>& make_direct);

/// Whether a graph, before the passes, has convolutions for which PrefersTiles may be asked.
bool MayPreferTiles(const Graph& graph);

}  // namespace cpuacc
}  // namespace backplane
