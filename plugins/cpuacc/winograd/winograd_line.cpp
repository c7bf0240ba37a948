#include "winograd/winograd_line.hpp"

#include "layout/channels_last.hpp"
#include "layout/layout_axes.hpp"
#include "memory/aligned_memory.hpp"
#include "simd/winograd_functions.hpp"
#include "threads/threads.hpp"
#include "winograd/winograd_line_kernel.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace backplane {
namespace cpuacc {
namespace {

/// The spatial axis along which the window lies; none when it has another form.
std::optional<std::uint32_t> FindLineAxis(const KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ConvolutionDescriptor>();
  if (descriptor.groups != 1 || descriptor.spatial_rank > 2) return {};
  std::optional<std::uint32_t> line;
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const std::int64_t extent = maker.GetInput(1).info.shape[axis + 2];
    if (descriptor.strides[axis] != 1 || descriptor.dilations[axis] != 1) return {};
    const bool is_window = extent >= kTilePoints + 1 - kMostTileResults &&
                           extent <= kTilePoints + 1 - kFewestTileResults && !line;
    if (is_window) {
      line = axis;
    } else if (extent != 1 || descriptor.pads_begin[axis] != 0 || descriptor.pads_end[axis] != 0) {
      return {};
    }
  }
  return line;
}

/// Transformations of fewer channels or tiles cost more than they save.
bool IsWorthWhile(const LineProblem& problem) {
  constexpr std::int64_t kFewestChannels = 64;
  constexpr std::int64_t kFewestTiles = 24;
  return problem.inputs >= kFewestChannels && problem.outputs >= kFewestChannels &&
         problem.batches * problem.lines * problem.CountTiles() >= kFewestTiles;
}

LineProblem MakeProblem(const KernelMaker& maker, std::uint32_t axis) {
  const TensorShape& input = maker.GetInput(0).info.shape;
  const TensorShape& output = maker.GetOutput().info.shape;
  LineProblem problem;
  problem.batches = input[0];
  problem.inputs = input[1];
  problem.outputs = output[1];
  problem.window = maker.GetInput(1).info.shape[axis + 2];
  problem.results = kTilePoints + 1 - problem.window;
  problem.pad = maker.GetNode().GetDescriptor<ConvolutionDescriptor>().pads_begin[axis];
  if (input.rank == 4) problem.lines = output[axis == 0 ? 3 : 2];
  problem.input.size = input[axis + 2];
  problem.output.size = output[axis + 2];
  return problem;
}

/// Nothing when the channels do not lie one after the other.
bool SetSteps(const TensorInfo& info, const Layout& layout, std::uint32_t axis, Lines& lines) {
  const std::optional<LayoutAxes> axes = FindLayoutAxes(info, layout);
  if (!axes || axes->block != 1 || axes->steps[1] != 1) return false;
  lines.batch_step = axes->steps[0];
  lines.place_step = axes->steps[axis + 2];
  if (info.shape.rank == 4) lines.line_step = axes->steps[axis == 0 ? 3 : 2];
  return true;
}

/// The factor of number `index` of a window at a point. The last point is infinity.
double GetFactor(std::int64_t point, std::int64_t index, std::int64_t window) {
  constexpr double kPoints[] = {0, 1, -1, 2, -2, 0.5, -0.5};
  constexpr double kScales[] = {1, -2.0 / 9, -2.0 / 9, 1.0 / 90, 1.0 / 90, 32.0 / 45, 32.0 / 45};
  if (point == kTilePoints - 1) return index == window - 1 ? 1.0 : 0.0;
  double factor = kScales[point];
  for (std::int64_t i = 0; i < index; ++i) factor *= kPoints[point];
  return factor;
}

/// The weights at the points of the algorithm, as the kernel reads them:
/// [points, panels, inputs, kPanelColumns], from [outputs, inputs, window].
/// Errors: Threads::RequireTime, between two panels.
std::shared_ptr<const void> TransformWeights(const LineProblem& problem, const float* weights,
                                             const Threads& threads) {
  const std::int64_t padded = problem.CountPanels() * kPanelColumns;
  const auto count = static_cast<std::uint64_t>(kTilePoints * problem.inputs * padded);
  const std::shared_ptr<void> content = AllocateAligned(count * sizeof(float));
  auto* to = static_cast<float*>(content.get());
  for (std::int64_t point = 0; point < kTilePoints; ++point) {
    double factors[kTilePoints];
    for (std::int64_t i = 0; i < problem.window; ++i) {
      factors[i] = GetFactor(point, i, problem.window);
    }
    for (std::int64_t first = 0; first < padded; first += kPanelColumns) {
      threads.RequireTime();
      for (std::int64_t input = 0; input < problem.inputs; ++input) {
        for (std::int64_t o = first; o < first + kPanelColumns; ++o) {
          double sum = 0.0;
          const float* window = weights + (o * problem.inputs + input) * problem.window;
          for (std::int64_t i = 0; i < problem.window && o < problem.outputs; ++i) {
            sum += factors[i] * static_cast<double>(window[i]);
          }
          *to++ = static_cast<float>(sum);
        }
      }
    }
  }
  return content;
}

}  // namespace

std::unique_ptr<const Kernel> MakeWinogradLine(KernelMaker& maker) {
  if (maker.GetOptions().winograd == Winograd::kOff) return nullptr;
  const std::optional<std::uint32_t> axis = FindLineAxis(maker);
  if (!axis) return nullptr;
  LineProblem problem = MakeProblem(maker, *axis);
  if (!IsWorthWhile(problem)) return nullptr;
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& output = maker.GetOutput().info;
  if (!SetSteps(input, maker.GetLayout(0), *axis, problem.input)) {
    maker.WantInput(0, MakeChannelsLast(input));
    if (!SetSteps(input, MakeChannelsLast(input), *axis, problem.input)) return nullptr;
  }
  const Layout layout = MakeChannelsLast(output);
  if (!SetSteps(output, layout, *axis, problem.output)) return nullptr;
  maker.SetOutput(0, layout);
  const bool has_bias = HasBias(maker.GetNode());
  if (has_bias) maker.WantPlain(2);
  const auto weights = maker.PackTogether({1}, "lines of Winograd's algorithm", [&] {
    return TransformWeights(problem, GetFloats(maker.GetInput(1)), maker.GetThreads());
  });
  return MakeWinogradLineKernel(problem, weights, has_bias, maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
