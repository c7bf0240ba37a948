#pragma once

/// The order in which the elements of a tensor lie in memory.

#include "layout/layout.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {
namespace cpuacc {

/// One loop over the memory of a tensor. In a blocked layout an axis of the tensor has several.
struct PhysicalAxis {
  std::uint32_t axis;   // of the tensor
  std::int64_t step;    // how far the index along the tensor's axis goes on
  std::int64_t extent;  // with the padding
};

/// The loops that pass over a dense tensor in the order of its memory, outermost first. Nothing for
/// layouts that are not dense, or keep more than elements.
std::optional<std::vector<PhysicalAxis>> FindPhysicalAxes(const TensorInfo& info,
                                                          const Layout& layout);

}  // namespace cpuacc
}  // namespace backplane
