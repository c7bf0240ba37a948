#pragma once

/// TopK along one line after the other, of any length and for any k.

#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/layer.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Reads input 0 as a plain tensor.
std::unique_ptr<const Kernel> MakeTopKLines(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
