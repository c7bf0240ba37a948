#include "cpu_layers/window.hpp"

#include "cpu_layers/divide_up.hpp"

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

/// Products of two such numbers, and sums of a few of them, fit an int64_t.
constexpr std::int64_t kMaxExtent = 0x7fffffff;

void RequireBetween(const char* what, std::uint32_t axis, std::int64_t found, std::int64_t least,
                    Refusal& refusal) {
  if (found >= least && found <= kMaxExtent) return;
  refusal.Add("the ", what, " of spatial axis ", axis, " is ", found, ", but must be ", least,
              " to ", kMaxExtent);
}

/// What is left of the padded input behind the first window; negative when it does not fit.
std::int64_t GetRoom(const WindowAxis& axis) {
  const std::int64_t window_extent = (axis.kernel - 1) * axis.dilation + 1;
  return axis.input + axis.pad_begin + axis.pad_end - window_extent;
}

/// Makes the width and the axes before it one, as far as all of them are such.
template <typename Predicate>
Window MergeAxes(Window window, const Predicate& is_such) {
  for (std::uint32_t i = 1; i < kMaxSpatialRank; ++i) {
    WindowAxis& height = window[1];
    WindowAxis& width = window[2];
    if (!is_such(height) || !is_such(width)) break;
    width.input *= height.input;
    width.output *= height.output;
    width.kernel *= height.kernel;
    height = window[0];
    window[0] = WindowAxis();
  }
  return window;
}

}  // namespace

bool IsPointwise(const WindowAxis& axis) {
  return axis.kernel == 1 && axis.stride == 1 && axis.pad_begin == 0 && axis.pad_end == 0;
}

void RequireSpatialRank(std::uint32_t spatial_rank, const TensorInfo& info, const char* tensor,
                        Refusal& refusal) {
  if (spatial_rank < 1 || spatial_rank > kMaxSpatialRank) {
    refusal.Add("spatial rank ", spatial_rank, " is not supported, only 1 to ", kMaxSpatialRank);
  } else if (info.shape.rank != spatial_rank + 2) {
    refusal.Add(tensor, " has rank ", info.shape.rank, ", but must have rank ", spatial_rank + 2,
                " for spatial rank ", spatial_rank);
  }
}

void RequireSoundWindow(const Window& window, std::uint32_t spatial_rank, Refusal& refusal) {
  for (std::uint32_t i = 0; i < spatial_rank; ++i) {
    const WindowAxis& axis = window[kMaxSpatialRank - spatial_rank + i];
    RequireBetween("input extent", i, axis.input, 0, refusal);
    RequireBetween("kernel", i, axis.kernel, 1, refusal);
    RequireBetween("stride", i, axis.stride, 1, refusal);
    RequireBetween("dilation", i, axis.dilation, 1, refusal);
    RequireBetween("padding at the beginning", i, axis.pad_begin, 0, refusal);
    RequireBetween("padding at the end", i, axis.pad_end, 0, refusal);
  }
}

std::int64_t CountWholeWindows(const WindowAxis& axis) {
  const std::int64_t room = GetRoom(axis);
  return room < 0 ? 0 : room / axis.stride + 1;
}

std::int64_t CountStartedWindows(const WindowAxis& axis) {
  const std::int64_t room = GetRoom(axis);
  return room <= -axis.stride ? 0 : DivideUp(room, axis.stride) + 1;
}

std::vector<OutputRange> GetCoveredOutputs(const WindowAxis& axis) {
  std::vector<OutputRange> ranges;
  ranges.reserve(static_cast<std::size_t>(axis.kernel));
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t first = axis.GetInputIndex(0, k);
    const std::int64_t end = std::min(axis.output, DivideUp(axis.input - first, axis.stride));
    ranges.push_back({std::min(end, DivideUp(-first, axis.stride)), end});
  }
  return ranges;
}

Window MergePointwiseAxes(Window window) {
  return MergeAxes(window, IsPointwise);
}

Window MergeGlobalAxes(Window window) {
  return MergeAxes(window, [](const WindowAxis& axis) {
    return axis.output == 1 && axis.kernel == axis.input && axis.dilation == 1 &&
           axis.pad_begin == 0 && axis.pad_end == 0;
  });
}

}  // namespace cpu_layers
}  // namespace backplane
