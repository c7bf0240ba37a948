#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Loops within loops over some axes of a dense tensor, the first outermost.
struct LoopNest {
  void Append(std::int64_t extent, std::int64_t step) {
    extents[depth] = extent;
    steps[depth++] = step;
  }

  /// Calls visit(offset) for each combination of indices, in order; `begin` is the offset of the
  /// first.
  template <typename Visit>
  void ForEach(std::int64_t begin, Visit&& visit) const {
    for (std::uint32_t loop = 0; loop < depth; ++loop) {
      if (extents[loop] == 0) return;
    }
    std::int64_t indices[kMaxRank] = {};
    std::int64_t offset = begin;
    for (;;) {
      visit(offset);
      std::uint32_t loop = depth;
      for (; loop > 0; --loop) {
        const std::uint32_t i = loop - 1;
        offset += steps[i];
        if (++indices[i] < extents[i]) break;
        offset -= steps[i] * extents[i];
        indices[i] = 0;
      }
      if (loop == 0) return;
    }
  }

  std::uint32_t depth = 0;
  std::int64_t extents[kMaxRank] = {};
  std::int64_t steps[kMaxRank] = {};  // elements from one index to the next
};

}  // namespace cpu_layers
}  // namespace backplane
