#pragma once

#include "kernel_builders/kernel.hpp"

#include <backplane/api/tensor_info.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Makes the plain output 0 everywhere what stands for 0 in it. Its zero points fit its shape.
std::unique_ptr<const Kernel> MakeFillZeros(const TensorInfo& output);

}  // namespace cpuacc
}  // namespace backplane
