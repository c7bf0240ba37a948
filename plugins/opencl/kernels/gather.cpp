#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "plan/index_axes.hpp"
#include "pointwise/program.hpp"

#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/indices.hpp"

#include <backplane/api/descriptors/gather.hpp>
#include <backplane/api/descriptors/gather_elements.hpp>

#include <algorithm>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

template <typename Index>
bool AreInside(const void* indices, std::int64_t count, std::int64_t extent) {
  const auto* const begin = static_cast<const Index*>(indices);
  return std::none_of(begin, begin + count, [&](Index index) { return IsOutside(index, extent); });
}

/// Whether the indices are known, and all of them lie inside.
bool AreKnown(const PlannedLayer& layer, std::int64_t extent) {
  const ConstTensor* const indices = layer.GetConstant(1);
  if (indices == nullptr || indices->data == nullptr) return false;
  const std::int64_t count = layer.Input(1).shape.GetNumElements();
  return layer.Input(1).data_type == DataType::kInt64
             ? AreInside<std::int64_t>(indices->data, count, extent)
             : AreInside<std::int32_t>(indices->data, count, extent);
}

constexpr char kOutsideParameters[] =
    ", volatile __global int* outside, const int outside_begin, const int command";
/// What the host then tells is of one index, whichever work-item was the first.
constexpr char kTellOutside[] =
    "if (wanted < -extent || wanted >= extent) {\n"
    "volatile __global int* told = outside + outside_begin;\n"
    "if (atomic_cmpxchg(told, 0, at1 + 1) == 0) {\n"
    "told[1] = (int)wanted;\ntold[2] = (int)(wanted >> 32);\ntold[3] = extent;\ntold[4] = "
    "command;\n}\nreturn;\n}\n";

/// Steps are those in the values, without the axis, and in the indices.
KernelPlan PlanGathering(const PlannedLayer& layer, const AxisSpan& span,
                         std::vector<IndexAxis> axes, const DeviceLimits& limits) {
  KernelPlan plan;
  const std::int64_t count = layer.Output().shape.GetNumElements();
  if (count == 0) return plan;
  axes = MergeIndexAxes(axes);
  const auto rank = static_cast<std::uint32_t>(axes.size());
  const char* type = GetMovedElement(GetElementBytes(layer.Output().data_type)).type;
  const char* index_type = layer.Input(1).data_type == DataType::kInt64 ? "long" : "int";
  const bool is_known = AreKnown(layer, span.extent);
  Launch launch;
  launch.source = Text(
      "__kernel void gather(const int count, __global const ", type,
      "* values, const int values_begin, __global const ", index_type,
      "* indices, const int indices_begin, __global ", type, "* to, const int to_begin",
      is_known ? "" : kOutsideParameters, ", const int extent, const int step",
      WriteIndexParameters(rank, 2),
      ") {\nconst int i = (int)get_global_id(0);\nif (i < count) {\n", WriteIndices(rank, 2, "i"),
      "const long wanted = indices[indices_begin + at1];\n", is_known ? "" : kTellOutside,
      "const long index = wanted < 0 ? wanted + extent : wanted;\n"
      "to[to_begin + i] = values[values_begin + at0 + (int)index * step];\n}\n}\n");
  launch.kernel = "gather";
  launch.arguments = {static_cast<std::int32_t>(count), ReadInput(layer, 0), ReadInput(layer, 1),
                      WriteOutput(layer)};
  if (!is_known) {
    launch.arguments.emplace_back(BufferArgument{BufferArgument::Kind::kOutside, 0, 4});
  }
  launch.arguments.emplace_back(static_cast<std::int32_t>(span.extent));
  launch.arguments.emplace_back(static_cast<std::int32_t>(span.inner));
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
