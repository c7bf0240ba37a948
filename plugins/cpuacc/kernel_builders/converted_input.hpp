#pragma once

#include "kernel_builders/kernel_maker.hpp"

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// How an input becomes what a kernel wants in its place, element by element.
struct InputConversion {
  std::uint32_t input = 0;
  std::int64_t num_elements = 0;    // in memory
  std::uint64_t element_bytes = 0;  // of the result
  void (*convert)(const void* from, void* to, std::int64_t begin, std::int64_t end) = nullptr;
};

/// Converts an input into scratch memory and runs the kernel on that.
std::unique_ptr<const Kernel> MakeWithConvertedInput(const KernelMaker& maker,
                                                     const InputConversion& conversion,
                                                     std::unique_ptr<const Kernel> kernel);

}  // namespace cpuacc
}  // namespace backplane
