#pragma once

/// The geometry that convolution and pooling share: windows that slide over 1 to 3 spatial axes.

#include "cpu_layers/refusal.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/tensor_info.hpp>

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace backplane {
namespace cpu_layers {

/// One spatial axis. The default is an axis of one element that changes nothing.
struct WindowAxis {
  std::int64_t input = 1;   // extent of the input
  std::int64_t output = 1;  // extent of the output
  std::int64_t kernel = 1;  // elements of the window
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_begin = 0;
  std::int64_t pad_end = 0;

  /// Where element `k` of the window of an output lies in the input; outside it is padding.
  std::int64_t GetInputIndex(std::int64_t output_index, std::int64_t k) const {
    return output_index * stride + k * dilation - pad_begin;
  }
  bool IsInside(std::int64_t input_index) const { return input_index >= 0 && input_index < input; }
};

/// Depth, height and width; fewer axes are filled up in front.
using Window = std::array<WindowAxis, kMaxSpatialRank>;

/// Output positions, from the first to behind the last.
struct OutputRange {
  std::int64_t begin;
  std::int64_t end;
};

/// Refuses a spatial rank other than 1 to 3, and tensors whose rank is not that rank and 2.
void RequireSpatialRank(std::uint32_t spatial_rank, const TensorInfo& info, const char* tensor,
                        Refusal& refusal);

/// Reads a ConvolutionDescriptor or a PoolingDescriptor. Input and output are [N, C, spatial...];
/// `kernel` has an extent for each spatial axis.
template <typename LayerDescriptor>
Window MakeWindow(const LayerDescriptor& descriptor, const std::int64_t* kernel,
                  const TensorShape& input, const TensorShape& output) {
  Window window;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    WindowAxis& axis = window[kMaxSpatialRank - descriptor.spatial_rank + i];
    axis.input = input[i + 2];
    axis.output = output[i + 2];
    axis.kernel = kernel[i];
    axis.stride = descriptor.strides[i];
    axis.dilation = descriptor.dilations[i];
    axis.pad_begin = descriptor.pads_begin[i];
    axis.pad_end = descriptor.pads_end[i];
  }
  return window;
}

/// Refuses kernels, strides and dilations of 0, and numbers with which index arithmetic could
/// overflow.
void RequireSoundWindow(const Window& window, std::uint32_t spatial_rank, Refusal& refusal);

/// The number of whole windows.
std::int64_t CountWholeWindows(const WindowAxis& axis);

/// The number of windows when the last may reach behind the padding.
std::int64_t CountStartedWindows(const WindowAxis& axis);

/// For each element of the window, the outputs for which it lies inside the input.
std::vector<OutputRange> GetCoveredOutputs(const WindowAxis& axis);

/// Whether each output reads the input at its own position.
bool IsPointwise(const WindowAxis& axis);

/// Makes one axis of neighbours that a window of 1 runs over without stride and padding: their rows
/// are one long row.
Window MergePointwiseAxes(Window window);

/// The same for neighbours that one window covers as a whole.
Window MergeGlobalAxes(Window window);

/// Calls loop(stride) with a constant for the strides that nearly all windows have, for which
/// compilers then vectorise it.
template <typename Loop>
void WithStride(std::int64_t stride, Loop&& loop) {
  if (stride == 1) {
    loop(std::integral_constant<std::int64_t, 1>());
  } else if (stride == 2) {
    loop(std::integral_constant<std::int64_t, 2>());
  } else {
    loop(stride);
  }
}

/// Calls visit(index of the kernel row, index of the input row) for each row of the window that
/// lies inside the input; rows run along the width.
template <typename Visit>
void VisitInputRows(const Window& window, std::int64_t output_depth, std::int64_t output_height,
                    Visit&& visit) {
  const WindowAxis& depth = window[0];
  const WindowAxis& height = window[1];
  for (std::int64_t kd = 0; kd < depth.kernel; ++kd) {
    const std::int64_t d = depth.GetInputIndex(output_depth, kd);
    if (!depth.IsInside(d)) continue;
    for (std::int64_t kh = 0; kh < height.kernel; ++kh) {
      const std::int64_t h = height.GetInputIndex(output_height, kh);
      if (height.IsInside(h)) visit(kd * height.kernel + kh, d * height.input + h);
    }
  }
}

}  // namespace cpu_layers
}  // namespace backplane
