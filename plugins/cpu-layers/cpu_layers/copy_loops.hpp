#pragma once

/// Loops that copy a box of elements.

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// One axis of a box: how far it is, in bytes, from one index to the next.
struct CopyAxis {
  std::int64_t extent;
  std::int64_t from_step;
  std::int64_t to_step;
};

constexpr std::uint32_t kMaxCopyAxes = 2 * kMaxRank;

/// Copies runs of bytes along one axis or more, outermost first. No extent is 0.
using CopyLoops = void (*)(const CopyAxis* axes, std::uint32_t num_axes, std::size_t run_bytes,
                           const unsigned char* from, unsigned char* to);

/// The loops that are best for axes in the order in which they are written, which may come in
/// another order behind this.
CopyLoops ChooseCopyLoops(CopyAxis* axes, std::uint32_t num_axes, std::size_t run_bytes);

}  // namespace cpu_layers
}  // namespace backplane
