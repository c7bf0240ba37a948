#pragma once

/// Kernels that move elements.

#include "cpu_layers/strided_copy.hpp"
#include "kernel_builders/kernel.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

using cpu_layers::StridedCopy;

/// Runs a copy, prepared, in parts that are worth a thread.
void RunCopy(const StridedCopy& copy, const void* from, void* to, const Threads& threads);

/// One of the copies of a kernel: from which input, to which output.
struct Move {
  StridedCopy copy;  // prepared
  std::uint32_t input = 0;
  std::uint32_t output = 0;
};

/// Makes a kernel that does all of them, one after the other.
std::unique_ptr<const Kernel> MakeMoves(std::vector<Move> moves);

/// The same for one copy, prepared.
std::unique_ptr<const Kernel> MakeMove(const StridedCopy& copy);

}  // namespace cpuacc
}  // namespace backplane
