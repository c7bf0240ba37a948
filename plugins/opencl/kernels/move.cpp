#include "kernels/move.hpp"

#include "kernels/elements.hpp"
#include "plan/index_axes.hpp"
#include "pointwise/program.hpp"

#include <algorithm>

namespace backplane {
namespace opencl {
namespace {

std::vector<IndexAxis> MakeAxes(const Move& move) {
  std::vector<IndexAxis> axes;
  for (const MovedAxis& axis : move.axes) {
    axes.push_back({axis.extent, {axis.from_step, axis.to_step}});
  }
  if (axes.empty()) axes.push_back({1, {0, 0}});
  const auto is_outside = [](const IndexAxis& a, const IndexAxis& b) {
    return a.steps[1] > b.steps[1];
  };
  std::stable_sort(axes.begin(), axes.end(), is_outside);
  return MergeIndexAxes(axes);
}

/// Takes runs of elements as one vector each, where both sides have them one after the other.
std::int64_t TakeVectors(std::vector<IndexAxis>& axes, const DeviceLimits& limits) {
  IndexAxis& last = axes.back();
  if (last.steps[0] != 1 || last.steps[1] != 1) return 1;
  std::int64_t width = limits.is_cpu ? 16 : 4;
  while (last.extent % width != 0) width /= 4;
  last.extent /= width;
  for (std::int64_t& step : last.steps) step *= width;
  if (last.extent == 1 && axes.size() > 1) axes.pop_back();
  return width;
}

std::string WriteProgram(std::uint32_t num_axes, std::int64_t width, const char* type) {
  const std::string from = "from + from_begin + from_skip + at0";
  const std::string to = "to + to_begin + to_skip + at1";
  const std::string move =
      width == 1 ? Text("*(", to, ") = *(", from, ");\n")
                 : Text("vstore", width, "(vload", width, "(0, ", from, "), 0, ", to, ");\n");
  return Text("__kernel void move(const int count, __global const ", type,
              "* from, const int from_begin, __global ", type,
              "* to, const int to_begin, const int from_skip, const int to_skip",
              WriteIndexParameters(num_axes, 2),
              ") {\nconst int i = (int)get_global_id(0);\nif (i < count) {\n",
              WriteIndices(num_axes, 2, "i"), move, "}\n}\n");
}

}  // namespace

void AppendMove(const Layer& layer, const Move& move, const DeviceLimits& limits,
                KernelPlan& plan) {
  std::vector<IndexAxis> axes = MakeAxes(move);
  const std::int64_t width = TakeVectors(axes, limits);
  std::int64_t count = 1;
  for (const IndexAxis& axis : axes) count *= axis.extent;
  if (count == 0) return;
  Launch launch;
  launch.source =
      WriteProgram(static_cast<std::uint32_t>(axes.size()), width,
                   GetMovedElement(GetElementBytes(layer.Output(move.output).data_type)).type);
  launch.kernel = "move";
  launch.arguments = {static_cast<std::int32_t>(count), ReadInput(layer, move.input),
                      WriteOutput(layer, move.output), static_cast<std::int32_t>(move.from_begin),
                      static_cast<std::int32_t>(move.to_begin)};
  AppendIndexArguments(axes, launch.arguments);
  SetWorkItems(count, limits, launch);
  plan.launches.push_back(std::move(launch));
}

}  // namespace opencl
}  // namespace backplane
