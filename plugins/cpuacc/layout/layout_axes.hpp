#pragma once

/// Layouts as kernels that move elements see them: extents and steps along each axis.

#include "layout/layout.hpp"

#include <cstdint>
#include <optional>

namespace backplane {
namespace cpuacc {

/// Where the element at some indices lies: the sum of index * step over the axes. In blocks of
/// channels, axis 1 counts blocks, and the channels of one lie next to each other.
struct LayoutAxes {
  std::uint32_t rank = 0;
  std::int64_t extents[kMaxRank] = {};
  std::int64_t steps[kMaxRank] = {};
  std::int64_t block = 1;
};

/// Empty for layouts that are neither plain, nor permuted, nor in blocks of channels.
std::optional<LayoutAxes> FindLayoutAxes(const TensorInfo& info, const Layout& layout);

/// The layout of the same kind for another tensor of the same rank; empty when there is none.
std::optional<Layout> MakeLayoutLike(const TensorInfo& info, const Layout& layout,
                                     const TensorInfo& other);

/// Whether channels from `begin` on can be cut out of a tensor of `whole` channels without taking
/// blocks apart.
bool IsCutBetweenBlocks(std::int64_t begin, std::int64_t count, std::int64_t whole,
                        std::int64_t block);

}  // namespace cpuacc
}  // namespace backplane
