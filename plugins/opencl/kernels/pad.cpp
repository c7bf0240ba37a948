#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "plan/index_axes.hpp"
#include "pointwise/program.hpp"

#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/pad_refusal.hpp"

#include <backplane/api/descriptors/pad.hpp>

#include <algorithm>

namespace backplane {
namespace opencl {
namespace {

/// One axis of the output: `begin` indices of padding, then those of the input from `first` on that
/// are left, then padding again.
struct PaddedAxis {
  std::int64_t begin;
  std::int64_t left;
  std::int64_t first;
};

PaddedAxis MakeAxis(const PadDescriptor& descriptor, std::uint32_t axis, std::int64_t input) {
  const std::int64_t begin = descriptor.pads_begin[axis];
  const std::int64_t end = descriptor.pads_end[axis];
  return {std::max<std::int64_t>(begin, 0),
          input + std::min<std::int64_t>(begin, 0) + std::min<std::int64_t>(end, 0),
          -std::min<std::int64_t>(begin, 0)};
}

/// The axes of the output, of which those that are not padded are merged with their neighbours.
struct PaddedAxes {
  explicit PaddedAxes(const Layer& layer) {
    const auto descriptor = layer.GetDescriptor<PadDescriptor>();
    const TensorShape& input = layer.Input(0).shape;
    const DenseSteps steps(input);
    for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
      const std::int64_t extent = layer.Output().shape[axis];
      const bool is_padded = descriptor.pads_begin[axis] != 0 || descriptor.pads_end[axis] != 0;
      if (!is_padded && extent == 1) continue;
      if (!is_padded && !padded.empty() && !was_padded) {
        index.back().extent *= extent;
        index.back().steps[0] = steps[axis];
        padded.back().left *= extent;
        continue;
      }
      index.push_back({extent, {steps[axis]}});
      padded.push_back(MakeAxis(descriptor, axis, input[axis]));
      was_padded = is_padded;
    }
    if (index.empty()) {
      index.push_back({1, {0}});
      padded.push_back({0, 1, 0});
    }
  }

  std::vector<IndexAxis> index;
  std::vector<PaddedAxis> padded;
  bool was_padded = false;
};

std::string WriteSource(PaddingMode mode, std::size_t axis) {
  const std::string place = Text("place", axis);
  const std::string left = Text("left", axis);
  std::string text = Text("int ", place, " = index", axis, " - begin", axis, ";\n");
  if (mode == PaddingMode::kConstant) {
    text += Text("is_inside = is_inside && ", place, " >= 0 && ", place, " < ", left, ";\n");
  } else if (mode == PaddingMode::kEdge) {
    text += Text(place, " = clamp(", place, ", 0, ", left, " - 1);\n");
  } else {
    text += Text(place, " = ", place, " < 0 ? -", place, " : ", place, " >= ", left, " ? 2 * (",
                 left, " - 1) - ", place, " : ", place, ";\n");
  }
  return text + Text("at += (first", axis, " + ", place, ") * step", axis, "_0;\n");
}

std::string WriteProgram(PaddingMode mode, bool has_value, std::size_t num_axes, const char* type) {
  const auto rank = static_cast<std::uint32_t>(num_axes);
  std::string parameters = WriteIndexParameters(rank, 1);
  std::string sources;
  for (std::size_t axis = 0; axis < num_axes; ++axis) {
    parameters +=
        Text(", const int begin", axis, ", const int left", axis, ", const int first", axis);
    sources += WriteSource(mode, axis);
  }
  if (has_value) {
    parameters += Text(", __global const ", type, "* value, const int value_begin");
  }
  const std::string outside = has_value ? "value[value_begin]" : "0";
  return Text("__kernel void pad(const int count, __global const ", type,
              "* from, const int from_begin, __global ", type, "* to, const int to_begin",
              parameters,
              ") {\nconst int i = (int)get_global_id(0);\nif (i < count) {\n"
              "bool is_inside = true;\nint at = 0;\n",
              WriteIndices(rank, 1, "i"), sources,
              "to[to_begin + i] = is_inside ? from[from_begin + at] : ", outside, ";\n}\n}\n");
}

}  // namespace

std::string FindRefusalOfPad(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequirePad(layer, refusal);
  RequireIntIndices(layer, refusal);
  const bool is_of_zeros =
      layer.num_inputs == 1 && layer.GetDescriptor<PadDescriptor>().mode == PaddingMode::kConstant;
  if (is_of_zeros && layer.Output().quantization.IsQuantized()) {
    refusal.Add("the output is quantised, and zeros of it are not supported");
  }
  return refusal.GetReason();
}

KernelPlan PlanPad(const PlannedLayer& layer, const DeviceLimits& limits) {
  KernelPlan plan;
  const std::int64_t count = layer.Output().shape.GetNumElements();
  if (count == 0) return plan;
  const PaddingMode mode = layer.GetDescriptor<PadDescriptor>().mode;
  const bool has_value = layer.num_inputs == 2 && mode == PaddingMode::kConstant;
  const PaddedAxes axes(layer);
  Launch launch;
  launch.source = WriteProgram(mode, has_value, axes.index.size(),
                               GetMovedElement(GetElementBytes(layer.Output().data_type)).type);
  launch.kernel = "pad";
  launch.arguments = {static_cast<std::int32_t>(count), ReadInput(layer, 0), WriteOutput(layer)};
  AppendIndexArguments(axes.index, launch.arguments);
  for (const PaddedAxis& axis : axes.padded) {
    for (const std::int64_t number : {axis.begin, axis.left, axis.first}) {
      launch.arguments.emplace_back(static_cast<std::int32_t>(number));
    }
  }
  if (has_value) launch.arguments.emplace_back(ReadInput(layer, 1));
  SetWorkItems(count, limits, launch);
  plan.launches.push_back(std::move(launch));
  return plan;
}

}  // namespace opencl
}  // namespace backplane
