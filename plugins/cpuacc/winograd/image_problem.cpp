#include "winograd/image_problem.hpp"

#include "cpu_layers/divide_up.hpp"
#include "layout/channel_blocks.hpp"
#include "memory/aligned_memory.hpp"
#include "threads/parallel.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::DivideUp;

/// The functions for blocks of this many channels.
const SimdFunctions* FindFunctions(std::int64_t block) {
  for (const InstructionSet set : {InstructionSet::kAvx512, InstructionSet::kAvx2}) {
    const SimdFunctions* functions = FindSimdFunctions(set);
    if (functions != nullptr && functions->image_tiles.block == block) return functions;
  }
  return nullptr;
}

/// Products of fewer tiles take as long, because the weights must be read.
void ChooseTiles(ImageProblem& problem) {
  constexpr std::int64_t kFewestTiles = 12;
  std::int64_t least = 0;
  for (const ImageTileTransforms* transforms :
       {&problem.simd->image_tiles.large, &problem.simd->image_tiles.small}) {
    ImageProblem chosen = problem;
    chosen.transforms = transforms;
    chosen.tile_rows = DivideUp(problem.output_height, transforms->results);
    chosen.tile_columns = DivideUp(problem.output_width, transforms->results);
    const std::int64_t cost =
        transforms->CountPoints() * std::max(chosen.CountTiles(), kFewestTiles);
    if (problem.transforms != nullptr && cost >= least) continue;
    problem = chosen;
    least = cost;
  }
}

/// Whether windows are 3 x 3, one after the other.
bool HasImageWindow(const ConvolutionDescriptor& descriptor, const TensorShape& weights) {
  if (descriptor.spatial_rank != 2 || descriptor.groups != 1) return false;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    if (weights[axis + 2] != kImageWindow || descriptor.strides[axis] != 1 ||
        descriptor.dilations[axis] != 1) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::int64_t ImageProblem::CountChannelBlocks() const {
  return DivideUp(channels, GetBlock());
}

std::int64_t ImageProblem::CountFilterBlocks() const {
  return DivideUp(filters, GetBlock());
}

std::int64_t ImageProblem::CountPaddedFilters() const {
  return DivideUp(filters, kPanelColumns) * kPanelColumns;
}

std::optional<ImageProblem> FindImageProblem(const ConvolutionDescriptor& descriptor,
                                             const ConvolutionShapes& shapes) {
  constexpr std::int64_t kFewestChannels = 16;
  constexpr std::int64_t kFewestFilters = 8;
  if (!HasImageWindow(descriptor, shapes.weights)) return {};
  const TensorShape& input = shapes.input;
  const TensorShape& output = shapes.output;
  ImageProblem problem;
  problem.simd = FindFunctions(GetNativeChannelBlock());
  if (problem.simd == nullptr || input[1] < kFewestChannels || output[1] < kFewestFilters) {
    return {};
  }
  problem.batches = input[0];
  problem.channels = input[1];
  problem.filters = output[1];
  problem.height = input[2];
  problem.width = input[3];
  problem.output_height = output[2];
  problem.output_width = output[3];
  problem.pad_top = descriptor.pads_begin[0];
  problem.pad_left = descriptor.pads_begin[1];
  ChooseTiles(problem);
  return problem;
}

std::shared_ptr<const void> TransformImageWeights(const ImageProblem& problem, const float* weights,
                                                  const Threads& threads) {
  constexpr std::int64_t kWindowSize = kImageWindow * kImageWindow;
  const std::int64_t num_points = problem.transforms->CountPoints();
  const std::int64_t padded = problem.CountPaddedFilters();
  const auto count = static_cast<std::uint64_t>(num_points * padded * problem.channels);
  const std::shared_ptr<void> content = AllocateAligned(count * sizeof(float));
  auto* to = static_cast<float*>(content.get());
  const auto transform_panel = [&](std::int64_t first) {
    const std::int64_t in_block = first % problem.GetColumns();
    const std::int64_t block = first - in_block;
    const std::int64_t columns = std::min(problem.GetColumns(), padded - block);
    float* panel = to + block * num_points * problem.channels + in_block * problem.channels;
    ImageWindows windows;
    windows.windows = weights + first * problem.channels * kWindowSize;
    windows.filter_step = problem.channels * kWindowSize;
    windows.num_filters = std::min(kPanelColumns, problem.filters - first);
    for (std::int64_t channel = 0; channel < problem.channels; ++channel) {
      problem.transforms->weigh(windows, panel, columns * problem.channels);
      windows.windows += kWindowSize;
      panel += kPanelColumns;
    }
  };
  ParallelFor(threads, padded / kPanelColumns, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t panel = begin; panel < end && !threads.AreStopped(); ++panel) {
      transform_panel(panel * kPanelColumns);
    }
  });
  threads.RequireTime();
  return content;
}

}  // namespace cpuacc
}  // namespace backplane
