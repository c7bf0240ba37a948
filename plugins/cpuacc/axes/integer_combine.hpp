#pragma once

#include "kernel_builders/kernel_maker.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Combines inputs 0 and 1, which are plain integers (IsPlainInteger), as cpu_layers/arithmetic.hpp
/// says.
std::unique_ptr<const Kernel> MakeIntegerCombine(KernelMaker& maker, BinaryOperation operation);

}  // namespace cpuacc
}  // namespace backplane
