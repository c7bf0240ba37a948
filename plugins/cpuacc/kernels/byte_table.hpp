#pragma once

/// Functions of single quantised bytes: all 256 results are computed before the run, as the
/// reference computes them.

#include "kernels/kernel_maker.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace backplane {
namespace cpuacc {

/// The result for each byte; int8 as its bits.
using ByteTable = std::array<std::uint8_t, 256>;

/// Input 0 and the output are bytes with one scale each.
std::unique_ptr<const Kernel> MakeByteTableKernel(KernelMaker& maker, const ByteTable& table);

/// Of bytes with one scale each.
ByteTable MakeByteTable(const TensorInfo& input, const TensorInfo& output,
                        const std::function<double(double)>& function);

}  // namespace cpuacc
}  // namespace backplane
