#pragma once

/// The blocked layouts that oneDNN likes best: [N, C / block, spatial..., block].

#include "layout/layout.hpp"

#include <cstdint>
#include <optional>

namespace backplane {
namespace cpuacc {

/// The block of a layout of that kind; 0 for any other.
std::int64_t GetChannelBlock(const TensorInfo& info, const Layout& layout);

/// The layout of that kind with a block of 4, 8 or 16, for tensors of rank 3 to 5.
std::optional<Layout> MakeChannelBlocks(const TensorInfo& info, std::int64_t block);

/// The block that the convolutions of this processor like best; 0 when it is none of these.
std::int64_t GetNativeChannelBlock();

}  // namespace cpuacc
}  // namespace backplane
