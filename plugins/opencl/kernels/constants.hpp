#pragma once

/// Constants that plans bring along.

#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// Adds a constant to the plan; gives it as an argument.
BufferArgument AddConstant(std::shared_ptr<const Bytes> bytes, KernelPlan& plan);
BufferArgument AddConstant(const std::vector<std::int32_t>& numbers, KernelPlan& plan);

/// The same of what `make` makes of a constant input. `form` says how: for an equal one the bytes
/// are equal.
BufferArgument AddMade(const PlannedLayer& layer, std::uint32_t input, const std::string& form,
                       const std::function<Bytes()>& make, KernelPlan& plan);

}  // namespace opencl
}  // namespace backplane
