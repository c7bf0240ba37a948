#pragma once

/// Winograd's algorithm for convolutions: fewer multiplications, more additions, and another error.

#include "kernel_builders/kernel_maker.hpp"

#include <cstddef>
#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of a convolution of images by windows of 3 x 3, with constant weights, in tiles.
/// Null: another convolution, few channels, the option is off, oneDNN's direct algorithm is faster
/// with the threads that are set, or the error is not small.
std::unique_ptr<const Kernel> MakeWinogradTiles(KernelMaker& maker);

/// How many trials MakeWinogradTiles makes of the convolutions of a graph, before the passes, with
/// a number of threads: of equal ones, one.
std::size_t CountTrials(const Graph& graph, int num_threads);

}  // namespace cpuacc
}  // namespace backplane
