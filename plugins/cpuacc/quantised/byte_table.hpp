#pragma once

/// Functions of single quantised bytes: all 256 results are computed before the run, as the
/// reference computes them.

#include "kernel_builders/kernel_maker.hpp"

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

/// Of a node that is such a table, which is its input 1.
std::unique_ptr<const Kernel> MakeByteTableKernel(KernelMaker& maker);

/// What a byte of a tensor with one scale stands for, and the byte that stands for a number.
double FindReal(const TensorInfo& info, std::uint8_t byte);
std::uint8_t FindByte(const TensorInfo& info, double real);

/// Of bytes with one scale each.
ByteTable MakeByteTable(const TensorInfo& input, const TensorInfo& output,
                        const std::function<double(double)>& function);

}  // namespace cpuacc
}  // namespace backplane
