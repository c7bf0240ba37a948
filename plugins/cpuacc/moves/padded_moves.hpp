#pragma once

/// Padding as moves: an axis consists of what is before, what is left of the input, and what is
/// behind, and a tensor of the boxes that these make.

#include "kernel_builders/kernel.hpp"
#include "layout/layout_axes.hpp"

#include <backplane/api/descriptors/pad.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

struct PaddedBox {
  const PadDescriptor& pad;
  const LayoutAxes& from;
  const LayoutAxes& to;
  std::size_t element_bytes;
};

/// Where constant padding comes from.
enum class PaddingValue : std::uint32_t { kZero, kOfInput1, kThere };

std::unique_ptr<const Kernel> MakePaddedMoves(const PaddedBox& box, PaddingValue value);

}  // namespace cpuacc
}  // namespace backplane
