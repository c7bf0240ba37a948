#include "kernels/kernels.hpp"

#include "cpu_layers/layer_checks.hpp"
#include "cpu_layers/movement_refusal.hpp"

#include <limits>
#include <stdexcept>

namespace backplane {
namespace opencl {
namespace {

/// Kernels count elements with int.
constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();

void RequireThatFits(const TensorInfo& info, const std::string& name, const DeviceLimits& limits,
                     Refusal& refusal) {
  const std::int64_t elements = info.shape.GetNumElements();
  if (elements > kMostElements) {
    refusal.Add(name, " has ", elements, " elements, but kernels count to ", kMostElements);
  } else if (info.GetSizeBytes() > limits.max_allocation_bytes) {
    refusal.Add(name, " has ", info.GetSizeBytes(), " bytes, but the device allocates at most ",
                limits.max_allocation_bytes, " at once (CL_DEVICE_MAX_MEM_ALLOC_SIZE)");
  }
}

void RequireTensorsThatFit(const PlannedLayer& layer, const DeviceLimits& limits,
                           Refusal& refusal) {
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
    RequireThatFits(layer.Input(i), Text("input ", i), limits, refusal);
  }
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    RequireThatFits(layer.Output(i), NameOutput(layer, i), limits, refusal);
  }
}

/// Layers whose output is the input under another shape need no kernel.
std::string FindRefusalOfReshape(const PlannedLayer& layer) {
  Refusal refusal;
  RequireReshape(layer, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfKernel(const PlannedLayer& layer,
                                [[maybe_unused]] const DeviceLimits& limits) {
  switch (layer.type) {
    case LayerType::kReshape:
      return FindRefusalOfReshape(layer);
#define OPENCL_KERNEL(name, takes_epilogue) \
  case LayerType::k##name:                  \
    return FindRefusalOf##name(layer, limits);
#include "kernels/kernels.def"
#undef OPENCL_KERNEL
    default:
      return Text("layer type ", GetLayerTypeName(layer.type), " is not supported");
  }
}

}  // namespace

std::string FindRefusal(const PlannedLayer& layer, const DeviceLimits& limits) {
  if (FindLayerTypeInfo(layer.type) == nullptr) {
    return Text("layer type ", static_cast<std::uint32_t>(layer.type), " is not known");
  }
  Refusal refusal;
  RequireSoundLayer(layer, refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  const std::string of_kernel = FindRefusalOfKernel(layer, limits);
  if (!of_kernel.empty()) return of_kernel;
  RequireTensorsThatFit(layer, limits, refusal);
  return refusal.GetReason();
}

KernelPlan Plan(const PlannedLayer& layer, [[maybe_unused]] const DeviceLimits& limits) {
  switch (layer.type) {
#define OPENCL_KERNEL(name, takes_epilogue) \
  case LayerType::k##name:                  \
    return Plan##name(layer, limits);
#include "kernels/kernels.def"
#undef OPENCL_KERNEL
    default:
      throw std::logic_error(Text("no kernel runs ", GetLayerTypeName(layer.type)));
  }
}

bool TakesEpilogue(const PlannedLayer& layer) {
  switch (layer.type) {
#define OPENCL_KERNEL(name, takes_epilogue) \
  case LayerType::k##name:                  \
    return takes_epilogue;
#include "kernels/kernels.def"
#undef OPENCL_KERNEL
    default:
      return false;
  }
}

}  // namespace opencl
}  // namespace backplane
