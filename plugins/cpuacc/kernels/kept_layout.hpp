#pragma once

#include "kernels/kernel_maker.hpp"

namespace backplane {
namespace cpuacc {

/// For kernels that turn each element of input 0 into one of another type, in the order in which
/// they lie: gives the output the layout of the input where that has nothing but elements, and asks
/// for a plain one otherwise.
void KeepLayout(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
