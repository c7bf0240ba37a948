#pragma once

/// Layers whose output elements are made of one window each: pooling, and convolutions with few
/// channels in a group.

#include "kernels/window_grid.hpp"
#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {
namespace opencl {

enum class WindowFunction { kMaximum, kAverage, kPowers, kProducts };

struct WindowLayer {
  WindowFunction function = WindowFunction::kMaximum;
  Window window;
  std::int64_t num_images = 0;
  std::int64_t channels = 0;        // of the input
  std::int64_t group_channels = 1;  // that one filter reads
  std::int64_t filters = 0;         // of the output
  BufferArgument input;
  BufferArgument output;
  std::optional<BufferArgument> weights;  // of kProducts: [filters, group_channels, window]
  std::optional<BufferArgument> bias;
  std::vector<std::int32_t> counts;  // of kAverage: divisors by width, height and depth
  float p = 1;                       // of kPowers
  DataType data_type = DataType::kFloat32;
};

void AppendWindowLayer(const WindowLayer& layer, const Epilogue& epilogue,
                       const DeviceLimits& limits, KernelPlan& plan);

/// Adds a launch that lays all planes out, as floats with kGridSlack behind them, in scratch
/// memory; gives that.
BufferArgument AppendLayOut(const BufferArgument& input, const Window& window,
                            std::int64_t num_planes, DataType data_type, const DeviceLimits& limits,
                            KernelPlan& plan);

}  // namespace opencl
}  // namespace backplane
