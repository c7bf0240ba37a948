#pragma once

/// TopK of few elements, for as many lines at once as vectors have elements.

#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/layer.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Reads input 0 as a plain tensor. Null where it is not made for that, or one line after the other
/// takes less.
std::unique_ptr<const Kernel> MakeTopKColumns(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
