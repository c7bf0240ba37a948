#pragma once

#include "kernel_builders/kernel.hpp"

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// Copies input 0 to output 0 as it lies.
std::unique_ptr<const Kernel> MakeCopy(std::uint64_t size_bytes);

}  // namespace cpuacc
}  // namespace backplane
