#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "plan/index_axes.hpp"
#include "pointwise/program.hpp"

#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/index_refusal.hpp"

#include <backplane/api/descriptors/gather.hpp>
#include <backplane/api/descriptors/gather_elements.hpp>

namespace backplane {
namespace opencl {
namespace {

/// Steps are those in the values, without the axis, and in the indices.
KernelPlan PlanGathering(const Layer& layer, const AxisSpan& span, std::vector<IndexAxis> axes,
                         const DeviceLimits& limits) {
  KernelPlan plan;
  const std::int64_t count = layer.Output().shape.GetNumElements();
  if (count == 0) return plan;
  axes = MergeIndexAxes(axes);
  const auto rank = static_cast<std::uint32_t>(axes.size());
  const char* type = GetMovedElement(GetElementBytes(layer.Output().data_type)).type;
  const char* index_type = layer.Input(1).data_type == DataType::kInt64 ? "long" : "int";
  Launch launch;
  launch.source = Text(
      "__kernel void gather(const int count, __global const ", type,
      "* values, const int values_begin, __global const ", index_type,
      "* indices, const int indices_begin, __global ", type,
      "* to, const int to_begin, const int extent, const int step", WriteIndexParameters(rank, 2),
      ") {\nconst int i = (int)get_global_id(0);\nif (i < count) {\n", WriteIndices(rank, 2, "i"),
      "const long wanted = indices[indices_begin + at1];\n"
      "const long index = clamp(wanted < 0 ? wanted + extent : wanted, 0L, (long)extent - 1);\n"
      "to[to_begin + i] = values[values_begin + at0 + (int)index * step];\n}\n}\n");
  launch.kernel = "gather";
  launch.arguments = {static_cast<std::int32_t>(count),
                      ReadInput(layer, 0),
                      ReadInput(layer, 1),
                      WriteOutput(layer),
                      static_cast<std::int32_t>(span.extent),
                      static_cast<std::int32_t>(span.inner)};
  AppendIndexArguments(axes, launch.arguments);
  SetWorkItems(count, limits, launch);
  plan.launches.push_back(std::move(launch));
  return plan;
}

}  // namespace

std::string FindRefusalOfGather(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireGather(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanGather(const PlannedLayer& layer, const DeviceLimits& limits) {
  const AxisSpan span =
      MakeAxisSpan(layer.Input(0).shape, layer.GetDescriptor<GatherDescriptor>().axis);
  const std::int64_t num_indices = layer.Input(1).shape.GetNumElements();
  return PlanGathering(
      layer, span,
      {{span.outer, {span.extent * span.inner, 0}}, {num_indices, {0, 1}}, {span.inner, {1, 0}}},
      limits);
}

std::string FindRefusalOfGatherElements(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireGatherElements(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanGatherElements(const PlannedLayer& layer, const DeviceLimits& limits) {
  const std::uint32_t axis = layer.GetDescriptor<GatherElementsDescriptor>().axis;
  const TensorShape& indices = layer.Input(1).shape;
  const DenseSteps of_values(layer.Input(0).shape);
  const DenseSteps of_indices(indices);
  std::vector<IndexAxis> axes;
  for (std::uint32_t i = 0; i < indices.rank; ++i) {
    axes.push_back({indices[i], {i == axis ? 0 : of_values[i], of_indices[i]}});
  }
  return PlanGathering(layer, MakeAxisSpan(layer.Input(0).shape, axis), axes, limits);
}

}  // namespace opencl
}  // namespace backplane
