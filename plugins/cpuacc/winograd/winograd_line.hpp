#pragma once

/// Winograd's algorithm for convolutions whose windows are lines.

#include "making/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of a convolution with windows of 3 to 6 neighbours along one axis, whose weights are
/// constant and whose tensors have elements. Null when it is no such convolution, or too small for
/// the transformations to be worth while.
std::unique_ptr<const Kernel> MakeWinogradLine(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
