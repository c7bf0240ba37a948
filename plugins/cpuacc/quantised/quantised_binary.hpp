#pragma once

/// Sums and products of quantised bytes, element by element, exact as the reference defines them
/// (cpu_layers/byte_arithmetic.hpp).

#include "making/kernel_maker.hpp"
#include "making/layer.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Refuses a binary layer on quantised tensors that has no such kernel.
void RequireQuantisedBinary(const Layer& layer, Refusal& refusal);

/// In the layout of an operand that has the shape of the output, where the others can lie so.
std::unique_ptr<const Kernel> MakeQuantisedBinary(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
