#pragma once

/// A convolution of images by windows of 3 x 3, as Winograd's algorithm computes it.

#include "kernel_builders/kernel_maker.hpp"
#include "simd/simd.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace backplane {
namespace cpuacc {

/// Channels and filters lie in blocks of as many as a vector has numbers.
struct ImageProblem {
  std::int64_t CountTiles() const { return batches * tile_rows * tile_columns; }
  std::int64_t CountChannelBlocks() const;
  std::int64_t CountFilterBlocks() const;
  std::int64_t GetBlock() const { return simd->image_tiles.block; }
  /// Filters that are computed together, while their products stay in the cache.
  std::int64_t GetColumns() const { return 4 * GetBlock(); }
  /// Filters, rounded up to whole panels.
  std::int64_t CountPaddedFilters() const;

  std::int64_t batches = 0;
  std::int64_t channels = 0;
  std::int64_t filters = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t output_height = 0;
  std::int64_t output_width = 0;
  std::int64_t pad_top = 0;
  std::int64_t pad_left = 0;
  std::int64_t tile_rows = 0;
  std::int64_t tile_columns = 0;
  const SimdFunctions* simd = nullptr;
  const ImageTileTransforms* transforms = nullptr;
};

struct ConvolutionShapes {
  const TensorShape& input;
  const TensorShape& weights;
  const TensorShape& output;
};

/// Empty for another convolution, with too few channels, or when the processor has no blocks of
/// channels.
std::optional<ImageProblem> FindImageProblem(const ConvolutionDescriptor& descriptor,
                                             const ConvolutionShapes& shapes);

/// The weights at the points: [filters / GetColumns(), points, panels, channels, kPanelColumns],
/// from [filters, channels, 3, 3].
std::shared_ptr<const void> TransformImageWeights(const ImageProblem& problem, const float* weights,
                                                  const Threads& threads);

}  // namespace cpuacc
}  // namespace backplane
