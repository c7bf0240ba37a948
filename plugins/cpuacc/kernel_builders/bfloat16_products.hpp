#pragma once

/// Products of float32 that are rounded to bfloat16 first, and summed up in float32: by oneDNN with
/// AMX, which is many times faster. Its kernels with AVX-512's instructions for bfloat16 are not
/// used: where they could be measured, they took 1.7 times as long as those for float32.

#include "kernel_builders/kernel_maker.hpp"

#include <dnnl.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// Whether input 0 and constant weights may be rounded, and this processor gains by it.
bool MultipliesBfloat16(const KernelMaker& maker);

/// Whether the primitive of this name (impl_info_str) multiplies with AMX.
bool UsesTiles(const char* implementation);

/// The same elements in the same places, in the other type.
dnnl::memory::desc ToBfloat16(dnnl::memory::desc desc);
dnnl::memory::desc ToFloat32(dnnl::memory::desc desc);

/// Rounds input 0, which has so many elements in memory, for a kernel that wants bfloat16 there.
std::unique_ptr<const Kernel> MakeWithBfloat16Input(const KernelMaker& maker,
                                                    std::int64_t num_elements,
                                                    std::unique_ptr<const Kernel> kernel);

}  // namespace cpuacc
}  // namespace backplane
