#pragma once

/// Winograd's algorithm for convolutions whose windows are lines.

#include "kernel_builders/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of a convolution with windows of 3 to 6 neighbours along one axis, with constant
/// weights. Null: another convolution, the option is off, or the channels or tiles are so few that
/// the transformations cost more than they save.
std::unique_ptr<const Kernel> MakeWinogradLine(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
