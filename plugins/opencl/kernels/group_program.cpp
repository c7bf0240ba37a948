#include "kernels/group_program.hpp"

#include "kernels/elements.hpp"
#include "kernels/group_source.hpp"
#include "plan/index_axes.hpp"
#include "pointwise/program.hpp"

#include <utility>

namespace backplane {
namespace opencl {
namespace {

struct GroupAxes {
  GroupAxes(const TensorShape& shape, const AxisSet& set) {
    const MergedAxes merged = MergeAxes(shape, set);
    for (std::uint32_t i = merged.count; i-- > 0;) {
      const MergedAxis& axis = merged.axes[i];
      (axis.is_in_set ? grouped : others).push_back({axis.extent, {axis.step}});
      (axis.is_in_set ? size : num_groups) *= axis.extent;
    }
    is_innermost_grouped = merged.count > 0 && merged.axes[0].is_in_set;
    if (grouped.empty()) grouped.push_back({1, {0}});
    if (others.empty()) others.push_back({1, {0}});
  }

  std::vector<IndexAxis> grouped;
  std::vector<IndexAxis> others;
  std::int64_t size = 1;
  std::int64_t num_groups = 1;
  bool is_innermost_grouped = false;
};

/// How work is shared. Neighbours in memory should be read by neighbours.
GroupSharing ChooseSharing(const GroupAxes& axes, const DeviceLimits& limits) {
  constexpr std::int64_t kLeastSize = 16;
  constexpr std::uint32_t kLanes = 64;
  GroupSharing sharing;
  if (!axes.is_innermost_grouped || axes.size < kLeastSize) return sharing;
  if (limits.is_cpu && axes.grouped.size() == 1) {
    sharing.width = 16;
    return sharing;
  }
  sharing.num_lanes = limits.is_cpu ? kLanes / 2 : kLanes;
  while (sharing.num_lanes > limits.max_work_group_size) sharing.num_lanes /= 2;
  return sharing;
}

std::vector<Argument> MakeArguments(const PlannedLayer& layer, const GroupProgram& program,
                                    const GroupAxes& axes) {
  std::vector<Argument> arguments = {static_cast<std::int32_t>(axes.num_groups),
                                     static_cast<std::int32_t>(axes.size), ReadInput(layer, 0),
                                     WriteOutput(layer)};
  for (const GroupOperand& operand : program.operands) {
    arguments.emplace_back(ReadInput(layer, operand.input));
  }
  for (const GroupResult& result : program.results) {
    arguments.emplace_back(WriteOutput(layer, result.output));
  }
  for (const GroupNumber& number : program.numbers) {
    arguments.emplace_back(static_cast<std::int32_t>(number.value));
  }
  AppendIndexArguments(axes.others, arguments);
  AppendIndexArguments(axes.grouped, arguments);
  AppendEpilogueArguments(layer.epilogue, arguments);
  return arguments;
}

}  // namespace

GroupFold MakeGreatestSize() {
  return {"greatest", "0.0f", "greatest = fabs(x) > greatest ? fabs(x) : greatest;\n",
          "a > b ? a : b", "if (!isfinite(greatest) || greatest == 0.0f) greatest = 1.0f;\n"};
}

KernelPlan PlanGroups(const PlannedLayer& layer, const GroupProgram& program,
                      const DeviceLimits& limits) {
  KernelPlan plan;
  const GroupAxes axes(layer.Input(0).shape, program.axes);
  if (axes.num_groups == 0 || (axes.size == 0 && !program.is_of_group && program.results.empty())) {
    return plan;
  }
  GroupSharing sharing = ChooseSharing(axes, limits);
  sharing.num_axes = static_cast<std::uint32_t>(axes.others.size());
  sharing.num_grouped_axes = static_cast<std::uint32_t>(axes.grouped.size());
  Launch launch;
  launch.source = WriteGroupSource(program, sharing, layer.epilogue);
  launch.options = GetStorageOptions(layer.Input(0).data_type);
  launch.kernel = "groups";
  launch.arguments = MakeArguments(layer, program, axes);
  const auto num_groups = static_cast<std::size_t>(axes.num_groups);
  if (sharing.width == 1 && sharing.num_lanes == 1) {
    SetWorkItems(axes.num_groups, limits, launch);
  } else {
    launch.global_size = {num_groups * sharing.num_lanes, 1, 1};
    launch.local_size = {sharing.num_lanes, 1, 1};
  }
  launch.num_operations = static_cast<double>(axes.num_groups) * static_cast<double>(axes.size) *
                          static_cast<double>(program.folds.size());
  plan.launches.push_back(std::move(launch));
  return plan;
}

}  // namespace opencl
}  // namespace backplane
