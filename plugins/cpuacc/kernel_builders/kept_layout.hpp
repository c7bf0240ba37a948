#pragma once

#include "kernel_builders/kernel_maker.hpp"

namespace backplane {
namespace cpuacc {

/// The layout of a tensor of the same shape, and maybe of another type, as `from`, which has
/// `layout`: plain where that has more than elements.
Layout MakeSameLayout(const TensorInfo& from, const Layout& layout, const TensorInfo& info);

/// For kernels that turn each element of input 0 into one of another type, in the order in which
/// they lie: gives the output the layout of the input where that has nothing but elements, and asks
/// for a plain one otherwise.
void KeepLayout(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
