#pragma once

/// Winograd's algorithm for convolutions of images by windows of 3 x 3, in blocks of channels.

#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/trial.hpp"
#include "winograd/image_problem.hpp"

#include <memory>
#include <string>

namespace backplane {
namespace cpuacc {

/// The way, by the size of its tiles.
std::string NameTiles(const ImageProblem& problem);

/// To be tried out beside other ways. Borrows its arguments.
Way MakeImageWay(KernelMaker& maker, const ImageProblem& problem);

/// The kernel of the node, with what it can do of the chain.
std::unique_ptr<const Kernel> MakeWinogradImage(KernelMaker& maker, const ImageProblem& problem);

}  // namespace cpuacc
}  // namespace backplane
