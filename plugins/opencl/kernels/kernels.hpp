#pragma once

/// Which layers run on devices, and what they do there.

#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include <string>

namespace backplane {
namespace opencl {

/// FindRefusalOf<name> says why the layer cannot be run, and nothing when it can; Plan<name> plans
/// a layer that is not refused. Neither asks a device.
#define OPENCL_KERNEL(name, takes_epilogue)                                               \
  std::string FindRefusalOf##name(const PlannedLayer& layer, const DeviceLimits& limits); \
  KernelPlan Plan##name(const PlannedLayer& layer, const DeviceLimits& limits);
#include "kernels/kernels.def"
#undef OPENCL_KERNEL

/// Says why no kernel runs the layer; empty when one does.
std::string FindRefusal(const PlannedLayer& layer, const DeviceLimits& limits);

/// Plans a layer for which FindRefusal is empty.
KernelPlan Plan(const PlannedLayer& layer, const DeviceLimits& limits);

/// Whether the kernels of a layer take an epilogue.
bool TakesEpilogue(const PlannedLayer& layer);

}  // namespace opencl
}  // namespace backplane
