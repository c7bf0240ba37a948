#pragma once

#include "kernel_builders/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Softmax of bytes with one scale each, in double, added up in the reference's order.
std::unique_ptr<const Kernel> MakeQuantisedSoftmax(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
