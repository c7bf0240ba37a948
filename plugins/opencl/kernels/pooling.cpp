#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/pooling_window.hpp"
#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "kernels/window_program.hpp"

#include <algorithm>
#include <cmath>

namespace backplane {
namespace opencl {
namespace {

void RequireMethod(const PoolingDescriptor& descriptor, Refusal& refusal) {
  const auto method = static_cast<std::uint32_t>(descriptor.method);
  if (method < 1 || method > 3) {
    refusal.Add("pooling method ", method,
                " is not supported, only Max (1), Average (2) and Lp (3)");
  }
  if (descriptor.method == PoolingMethod::kLp &&
      !(std::isfinite(descriptor.p) && descriptor.p > 0)) {
    refusal.Add("p is not a finite number above 0");
  }
  const auto padding = static_cast<std::uint32_t>(descriptor.padding_in_average);
  if (padding < 1 || padding > 2) {
    refusal.Add("padding in average ", padding,
                " is not supported, only Exclude (1) and Include (2)");
  }
}

/// For each output along an axis, how many elements of its window count.
void AppendCounts(const WindowAxis& axis, PaddingInAverage padding,
                  std::vector<std::int32_t>& counts) {
  const bool counts_padding = padding == PaddingInAverage::kInclude;
  const std::int64_t begin = counts_padding ? -axis.pad_begin : 0;
  const std::int64_t end = counts_padding ? axis.input + axis.pad_end : axis.input;
  for (std::int64_t position = 0; position < axis.output; ++position) {
    const auto behind = [&](std::int64_t index) {
      // Elements of the window before `index`.
      return std::min(axis.kernel,
                      DivideUp(index - axis.GetInputIndex(position, 0), axis.dilation));
    };
    counts.push_back(static_cast<std::int32_t>(behind(end) - behind(begin)));
  }
}

WindowFunction GetFunction(PoolingMethod method) {
  switch (method) {
    case PoolingMethod::kMax:
      return WindowFunction::kMaximum;
    case PoolingMethod::kAverage:
      return WindowFunction::kAverage;
    default:
      return WindowFunction::kPowers;
  }
}

}  // namespace

std::string FindRefusalOfPooling(const PlannedLayer& layer, const DeviceLimits&) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<PoolingDescriptor>();
  RequireFloats(layer, refusal);
  RequireMethod(descriptor, refusal);
  CheckPooling(layer, descriptor, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanPooling(const PlannedLayer& layer, const DeviceLimits& limits) {
  KernelPlan plan;
  if (layer.Output().shape.GetNumElements() == 0) return plan;
  const auto descriptor = layer.GetDescriptor<PoolingDescriptor>();
  WindowLayer windows;
  windows.function = GetFunction(descriptor.method);
  windows.window = MakePoolingWindow(layer, descriptor);
  windows.num_images = layer.Input(0).shape[0];
  windows.channels = layer.Input(0).shape[1];
  windows.filters = windows.channels;
  windows.input = ReadInput(layer, 0);
  windows.output = WriteOutput(layer);
  windows.p = descriptor.p;
  windows.data_type = layer.Output().data_type;
  if (descriptor.method == PoolingMethod::kAverage) {
    for (std::size_t axis = kMaxSpatialRank; axis-- > 0;) {
      AppendCounts(windows.window[axis], descriptor.padding_in_average, windows.counts);
    }
  }
  AppendWindowLayer(windows, layer.epilogue, limits, plan);
  return plan;
}

}  // namespace opencl
}  // namespace backplane
