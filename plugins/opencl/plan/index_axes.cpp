#include "plan/index_axes.hpp"

#include "plan/divisor.hpp"
#include "plan/layer.hpp"

namespace backplane {
namespace opencl {
namespace {

bool GoOnAlike(const IndexAxis& outer, const IndexAxis& inner) {
  for (std::size_t i = 0; i < outer.steps.size(); ++i) {
    if (outer.steps[i] != inner.steps[i] * inner.extent) return false;
  }
  return true;
}

}  // namespace

std::vector<IndexAxis> MergeIndexAxes(const std::vector<IndexAxis>& axes) {
  std::vector<IndexAxis> merged;
  for (const IndexAxis& axis : axes) {
    if (axis.extent == 1) continue;
    if (!merged.empty() && GoOnAlike(merged.back(), axis)) {
      merged.back().extent *= axis.extent;
      merged.back().steps = axis.steps;
    } else {
      merged.push_back(axis);
    }
  }
  if (merged.empty() && !axes.empty()) {
    merged.push_back({1, std::vector<std::int64_t>(axes[0].steps.size(), 0)});
  }
  if (merged.empty()) merged.push_back({1, {}});
  return merged;
}

std::vector<IndexAxis> MakeBroadcastAxes(const std::vector<TensorShape>& operands,
                                         const TensorShape& shape) {
  std::vector<IndexAxis> axes(shape.rank);
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) axes[axis].extent = shape[axis];
  for (const TensorShape& operand : operands) {
    std::int64_t step = 1;
    for (std::uint32_t from_last = 1; from_last <= shape.rank; ++from_last) {
      const bool is_there = from_last <= operand.rank;
      const std::int64_t extent = is_there ? operand[operand.rank - from_last] : 1;
      axes[shape.rank - from_last].steps.push_back(extent == 1 ? 0 : step);
      step *= extent;
    }
  }
  if (axes.empty()) axes.push_back({1, std::vector<std::int64_t>(operands.size(), 0)});
  return MergeIndexAxes(axes);
}

std::string WriteIndexParameters(std::uint32_t num_axes, std::uint32_t num_tensors,
                                 const char* suffix) {
  std::string text;
  for (std::uint32_t axis = 0; axis < num_axes; ++axis) {
    const std::string name = Text(axis, suffix);
    if (axis > 0) {
      text +=
          Text(", const int extent", name, ", const uint magic", name, ", const int shift", name);
    }
    for (std::uint32_t i = 0; i < num_tensors; ++i) {
      text += Text(", const int step", axis, "_", i, suffix);
    }
  }
  return text;
}

void AppendIndexArguments(const std::vector<IndexAxis>& axes, std::vector<Argument>& arguments) {
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axis > 0) {
      const Divisor divisor = MakeDivisor(axes[axis].extent);
      arguments.emplace_back(static_cast<std::int32_t>(axes[axis].extent));
      arguments.emplace_back(divisor.magic);
      arguments.emplace_back(divisor.shift);
    }
    for (const std::int64_t step : axes[axis].steps) {
      arguments.emplace_back(static_cast<std::int32_t>(step));
    }
  }
}

std::string WriteIndices(std::uint32_t num_axes, std::uint32_t num_tensors,
                         const std::string& position, const char* suffix) {
  std::string text;
  std::string rest = position;
  std::vector<std::string> sums(num_tensors);
  for (std::uint32_t axis = num_axes; axis-- > 0;) {
    const std::string name = Text(axis, suffix);
    const std::string index = "index" + name;
    if (axis == 0) {
      text += Text("const int ", index, " = ", rest, ";\n");
    } else {
      const std::string quotient = "rest" + name;
      text += Text("const int ", quotient, " = (int)((ulong)", rest, " * magic", name, " >> shift",
                   name, ");\nconst int ", index, " = ", rest, " - ", quotient, " * extent", name,
                   ";\n");
      rest = quotient;
    }
    for (std::uint32_t i = 0; i < num_tensors; ++i) {
      sums[i] += Text(sums[i].empty() ? "" : " + ", index, " * step", axis, "_", i, suffix);
    }
  }
  for (std::uint32_t i = 0; i < num_tensors; ++i) {
    text += Text("const int at", i, suffix, " = ", sums[i], ";\n");
  }
  return text;
}

}  // namespace opencl
}  // namespace backplane
