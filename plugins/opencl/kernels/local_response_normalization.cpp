#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"

#include <backplane/api/descriptors/local_response_normalization.hpp>

#include <algorithm>

namespace backplane {
namespace opencl {
namespace {

const char* const kNormalizeSource = R"(
__kernel void Normalize(__global const storage* restrict input, const int input_begin,
                        __global storage* restrict output, const int output_begin,
                        const int num_elements, const int extent, const int inner,
                        const int num_before, const int num_behind, const float factor,
                        const float beta, const float bias FINISH_PARAMETERS) {
  const int at = get_global_id(0);
  if (at >= num_elements) return;
  input += input_begin + at;
  const int channel = at / inner % extent;
  const int first = max(-channel, -num_before);
  const int last = min(extent - 1 - channel, num_behind);
  float sum = 0.0f;
  for (int neighbour = first; neighbour <= last; ++neighbour) {
    const float element = LOAD(input, neighbour * inner);
    sum += element * element;
  }
  const float value = LOAD(input, 0) / pow(bias + factor * sum, beta);
  STORE(Finish(value, at FINISH_ARGUMENTS), output, output_begin + at);
}
)";

}  // namespace

std::string FindRefusalOfLocalResponseNormalization(const PlannedLayer& layer,
                                                    const DeviceLimits&) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireLocalResponseNormalization(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanLocalResponseNormalization(const PlannedLayer& layer, const DeviceLimits& limits) {
  KernelPlan plan;
  const std::int64_t num_elements = layer.Output().shape.GetNumElements();
  if (num_elements == 0) return plan;
  const auto descriptor = layer.GetDescriptor<LocalResponseNormalizationDescriptor>();
  const AxisSpan span = MakeAxisSpan(layer.Output().shape, descriptor.axis);
  // No more neighbours than there are channels.
  const std::int64_t size = descriptor.size;
  Launch launch;
  launch.source = Text(kElementsSource, MakeEpilogueSource(layer.epilogue), kNormalizeSource);
  launch.options = GetStorageOptions(layer.Output().data_type);
  launch.kernel = "Normalize";
  launch.arguments = {ReadInput(layer, 0), WriteOutput(layer)};
  for (const std::int64_t number :
       {num_elements, span.extent, span.inner, std::min((size - 1) / 2, span.extent),
        std::min(size / 2, span.extent)}) {
    launch.arguments.emplace_back(static_cast<std::int32_t>(number));
  }
  launch.arguments.emplace_back(
      static_cast<float>(static_cast<double>(descriptor.alpha) / descriptor.size));
  launch.arguments.emplace_back(descriptor.beta);
  launch.arguments.emplace_back(descriptor.bias);
  AppendEpilogueArguments(layer.epilogue, launch.arguments);
  const std::size_t group = std::min<std::size_t>(64, limits.max_work_group_size);
  launch.global_size[0] = (static_cast<std::size_t>(num_elements) + group - 1) / group * group;
  launch.local_size = {group, 1, 1};
  plan.launches.push_back(std::move(launch));
  return plan;
}

}  // namespace opencl
}  // namespace backplane
