#pragma once

/// Binary operations on quantised bytes with one scale each, element by element: sums and products
/// exact as the reference defines them (cpu_layers/byte_arithmetic.hpp), others by a table.

#include "kernel_builders/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// In the layout of an operand that has the shape of the output, where the others can lie so.
std::unique_ptr<const Kernel> MakeQuantisedBinary(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
