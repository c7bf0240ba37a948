#pragma once

/// Constants that plans bring along.

#include "plan/kernel_plan.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace opencl {

/// Adds a constant to the plan; gives it as an argument.
BufferArgument AddConstant(std::vector<unsigned char> bytes, KernelPlan& plan);
BufferArgument AddConstant(const std::vector<std::int32_t>& numbers, KernelPlan& plan);

}  // namespace opencl
}  // namespace backplane
