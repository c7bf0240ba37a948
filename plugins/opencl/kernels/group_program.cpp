#include "kernels/group_program.hpp"

#include "kernels/elements.hpp"
#include "kernels/index_axes.hpp"
#include "pointwise/program.hpp"

#include <algorithm>

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

/// Work-items that share a group. Neighbours in memory should be read by neighbours.
std::uint32_t CountLanes(const GroupAxes& axes, const DeviceLimits& limits) {
  constexpr std::int64_t kLeastSize = 16;
  constexpr std::uint32_t kLanes = 64;
  if (!axes.is_innermost_grouped || axes.size < kLeastSize) return 1;
  std::uint32_t lanes = limits.is_cpu ? kLanes / 2 : kLanes;
  while (lanes > limits.max_work_group_size) lanes /= 2;
  return lanes;
}

class GroupWriter {
 public:
  GroupWriter(const PlannedLayer& layer, const GroupProgram& program, const GroupAxes& axes,
              std::uint32_t num_lanes)
      : layer_(layer), program_(program), axes_(axes), num_lanes_(num_lanes) {}

  std::string WriteSource() const {
    const std::string begin =
        num_lanes_ == 1
            ? "const int number = (int)get_global_id(0);\nconst int lane = 0;\n"
              "const int group = min(number, num_groups - 1);\n"
            : Text("const int number = (int)get_group_id(0);\n"
                   "const int lane = (int)get_local_id(0);\nconst int group = number;\n"
                   "__local float states[",
                   num_lanes_, "];\n");
    std::string folds;
    for (const GroupFold& fold : program_.folds) folds += WriteFold(fold);
    return Text(kElementsSource, MakeEpilogueSource(layer_.epilogue), "__kernel void groups(",
                WriteParameters(), ") {\n", begin,
                WriteIndices(Count(axes_.others), 1, "group", "g"), folds, WriteResults(), "}\n");
  }

  std::vector<Argument> MakeArguments() const {
    std::vector<Argument> arguments = {static_cast<std::int32_t>(axes_.num_groups),
                                       static_cast<std::int32_t>(axes_.size),
                                       ReadInput(layer_, 0), WriteOutput(layer_)};
    for (const GroupOperand& operand : program_.operands) {
      arguments.emplace_back(ReadInput(layer_, operand.input));
    }
    for (const GroupResult& result : program_.results) {
      arguments.emplace_back(WriteOutput(layer_, result.output));
    }
    for (const GroupNumber& number : program_.numbers) {
      arguments.emplace_back(static_cast<std::int32_t>(number.value));
    }
    AppendIndexArguments(axes_.others, arguments);
    AppendIndexArguments(axes_.grouped, arguments);
    AppendEpilogueArguments(layer_.epilogue, arguments);
    return arguments;
  }

 private:
  static std::uint32_t Count(const std::vector<IndexAxis>& axes) {
    return static_cast<std::uint32_t>(axes.size());
  }

  std::string WriteParameters() const {
    std::string text =
        "const int num_groups, const int size, __global const storage* in, const int in_begin, "
        "__global storage* out, const int out_begin";
    for (const GroupOperand& operand : program_.operands) {
      text += Text(", __global const storage* ", operand.name, ", const int ", operand.name,
                   "_begin");
    }
    for (const GroupResult& result : program_.results) {
      text += Text(", __global float* result", result.output, ", const int result", result.output,
                   "_begin");
    }
    for (const GroupNumber& number : program_.numbers) text += Text(", const int ", number.name);
    return Text(text, WriteIndexParameters(Count(axes_.others), 1, "g"),
                WriteIndexParameters(Count(axes_.grouped), 1, "e"), " FINISH_PARAMETERS");
  }

  // Every work-item makes as many rounds: compilers then run lanes side by side.
  std::string WriteLoop(const std::string& statements) const {
    return Text("for (int round_begin = 0; round_begin < size; round_begin += ", num_lanes_,
                ") {\nconst int k = round_begin + lane;\nif (k < size) {\n",
                WriteIndices(Count(axes_.grouped), 1, "k", "e"),
                "const float x = LOAD(in, in_begin + at0g + at0e);\n", statements, "}\n}\n");
  }

  std::string WriteFold(const GroupFold& fold) const {
    return Text("float ", fold.name, " = ", fold.start, ";\n", WriteLoop(fold.fold),
                num_lanes_ == 1 ? "" : WriteCombination(fold), fold.finish);
  }

  // In pairs: fewer roundings pile up than one after the other.
  std::string WriteCombination(const GroupFold& fold) const {
    return Text("barrier(CLK_LOCAL_MEM_FENCE);\nstates[lane] = ", fold.name,
                ";\nbarrier(CLK_LOCAL_MEM_FENCE);\nfor (int half_of = ", num_lanes_ / 2,
                "; half_of > 0; half_of /= 2) {\nif (lane < half_of) {\n"
                "const float a = states[lane];\nconst float b = states[lane + half_of];\n"
                "states[lane] = ",
                fold.combine, ";\n}\nbarrier(CLK_LOCAL_MEM_FENCE);\n}\n", fold.name,
                " = states[0];\n");
  }

  std::string WriteResults() const {
    std::string of_group;
    for (const GroupResult& result : program_.results) {
      of_group += Text("result", result.output, "[result", result.output,
                       "_begin + group] = ", result.value, ";\n");
    }
    std::string of_elements;
    if (program_.is_of_group) {
      of_group += Text("STORE(Finish(", program_.value,
                       ", group FINISH_ARGUMENTS), out, out_begin + group);\n");
    } else {
      const std::string store = Text("STORE(Finish(", program_.value,
                                     ", at0g + at0e FINISH_ARGUMENTS), out, "
                                     "out_begin + at0g + at0e);\n");
      of_elements = WriteLoop(num_lanes_ == 1 ? "if (number == group) " + store : store);
    }
    if (of_group.empty()) return of_elements;
    return Text("if (lane == 0 && number == group) {\n", of_group, "}\n", of_elements);
  }

  const PlannedLayer& layer_;
  const GroupProgram& program_;
  const GroupAxes& axes_;
  const std::uint32_t num_lanes_;
};

}  // namespace

KernelPlan PlanGroups(const PlannedLayer& layer, const GroupProgram& program,
                      const DeviceLimits& limits) {
  KernelPlan plan;
  const GroupAxes axes(layer.Input(0).shape, program.axes);
  if (axes.num_groups == 0 || (axes.size == 0 && !program.is_of_group && program.results.empty())) {
    return plan;
  }
  const std::uint32_t num_lanes = CountLanes(axes, limits);
  const GroupWriter writer(layer, program, axes, num_lanes);
  Launch launch;
  launch.source = writer.WriteSource();
  launch.options = GetStorageOptions(layer.Input(0).data_type);
  launch.kernel = "groups";
  launch.arguments = writer.MakeArguments();
  if (num_lanes == 1) {
    SetWorkItems(axes.num_groups, limits, launch);
  } else {
    launch.global_size = {static_cast<std::size_t>(axes.num_groups) * num_lanes, 1, 1};
    launch.local_size = {num_lanes, 1, 1};
  }
  launch.num_operations = static_cast<double>(axes.num_groups) * static_cast<double>(axes.size) *
                          static_cast<double>(program.folds.size());
  plan.launches.push_back(std::move(launch));
  return plan;
}

}  // namespace opencl
}  // namespace backplane
