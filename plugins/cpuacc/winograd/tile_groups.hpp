#pragma once

/// How the tiles of an image are shared out.

#include "cpu_layers/divide_up.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Tiles that are computed together: the weights are read once for them, and their points stay in
/// the cache.
struct TileGroups {
  static constexpr std::int64_t kRows = 6;  // that products make at once

  TileGroups(std::int64_t num_tiles, int num_threads) {
    using cpu_layers::DivideUp;
    constexpr std::int64_t kMostTiles = 48;
    constexpr std::int64_t kFewestTiles = 12;
    std::int64_t count = DivideUp(num_tiles, kMostTiles);
    has_one_thread = num_tiles >= kFewestTiles * num_threads;
    if (has_one_thread) count = DivideUp(count, num_threads) * num_threads;
    size = DivideUp(num_tiles, count);
    if (count > num_threads) size = std::min(num_tiles, DivideUp(size, kRows) * kRows);
  }

  std::int64_t size = 0;        // of each but the last
  bool has_one_thread = false;  // otherwise all threads work on one group
};

}  // namespace cpuacc
}  // namespace backplane
