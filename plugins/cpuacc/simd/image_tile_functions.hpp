#pragma once

/// Winograd's algorithm for images: with windows of 3 x 3, tiles of 2 x 2 results at once from
/// 4 x 4 places, or of 4 x 4 results from 6 x 6 places.

#include <cstdint>

namespace backplane {
namespace cpuacc {

constexpr std::int64_t kImageWindow = 3;

/// The points of the lines of a tile are 0, 1, -1 and infinity for 2 results; for 4 results 0,
/// these with both signs, and infinity: they are what leaves the smallest errors.
constexpr double kNearPoint = 0.625;
constexpr double kFarPoint = 1.5;

/// Places of one block of channels of an image, to be read as a tile. What lies outside is 0.
struct ImageTileInput {
  const float* image = nullptr;  // [height, width, block]
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t row = 0;  // where the tile begins; may lie outside
  std::int64_t column = 0;
};

/// Where results of one block of filters go, and what is done to them before.
struct ImageTileOutput {
  float* to = nullptr;
  const float* bias = nullptr;    // [block]
  const float* addend = nullptr;  // lies as `to` does; null: none
  std::int64_t row_step = 0;
  std::int64_t num_rows = 0;  // of the tile, that lie in the image
  std::int64_t num_columns = 0;
  float low = 0.0F;  // the least and greatest result
  float high = 0.0F;
};

/// Windows of one channel, which become a row of a panel at each point: element i is that of
/// filter i. Beyond `num_filters` are zeros.
struct ImageWindows {
  const float* windows = nullptr;  // of 3 x 3 numbers
  std::int64_t filter_step = 0;
  std::int64_t num_filters = 0;  // up to kPanelColumns
};

/// For tiles of one size.
struct ImageTileTransforms {
  std::int64_t results = 0;  // along a line

  std::int64_t CountLinePoints() const { return results + kImageWindow - 1; }
  std::int64_t CountPoints() const { return CountLinePoints() * CountLinePoints(); }

  /// To rows of a block at the points.
  void (*read)(const ImageTileInput& input, float* points, std::int64_t point_step) = nullptr;
  /// From rows of a block at the points.
  void (*write)(const float* points, std::int64_t point_step,
                const ImageTileOutput& output) = nullptr;
  /// To rows of kPanelColumns elements at the points. Computed in double.
  void (*weigh)(const ImageWindows& windows, float* points, std::int64_t point_step) = nullptr;
};

/// Everything is aligned to a block.
struct ImageTileFunctions {
  std::int64_t block = 0;  // channels that lie next to each other
  ImageTileTransforms small;
  ImageTileTransforms large;
};

}  // namespace cpuacc
}  // namespace backplane
