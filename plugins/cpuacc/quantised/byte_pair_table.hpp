#pragma once

/// Functions of two quantised bytes: all 65536 results are computed before the run, as the
/// reference computes them.

#include "axes/broadcast_rows.hpp"
#include "kernel_builders/kernel_maker.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Of inputs 0 and 1, bytes with one scale each, as the output is.
std::unique_ptr<const Kernel> MakeBytePairKernel(const KernelMaker& maker,
                                                 BinaryOperation operation,
                                                 const BroadcastRows& rows);

}  // namespace cpuacc
}  // namespace backplane
