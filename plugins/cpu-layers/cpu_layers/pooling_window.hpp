#pragma once

/// The windows of pooling layers. `PoolingLike` is a PoolingDescriptor, or one that has the same
/// fields for its windows.

#include "cpu_layers/refusal.hpp"
#include "cpu_layers/window.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <algorithm>

namespace backplane {
namespace cpu_layers {

/// For input and output [N, C, spatial...].
template <typename PoolingLike>
Window MakePoolingWindow(const Layer& layer, const PoolingLike& descriptor) {
  std::int64_t kernel[kMaxSpatialRank] = {};
  std::copy_n(descriptor.kernel, kMaxSpatialRank, kernel);
  return MakeWindow(descriptor, kernel, layer.Input(0).shape, layer.Output().shape);
}

/// Refuses roundings that are not known.
void RequireRounding(OutputRounding rounding, Refusal& refusal);

/// Refuses outputs of another shape than windows give. With rounding up, a last window that lies in
/// the padding only may be there or not: its output is well defined either way.
void RequirePooledShape(const Layer& layer, const Window& window, std::uint32_t spatial_rank,
                        OutputRounding rounding, Refusal& refusal);

/// Refuses ranks, windows and outputs that do not fit. Looks no further once something is refused.
template <typename PoolingLike>
void CheckPooling(const Layer& layer, const PoolingLike& descriptor, Refusal& refusal) {
  RequireRounding(descriptor.rounding, refusal);
  RequireSpatialRank(descriptor.spatial_rank, layer.Input(0), "input 0", refusal);
  if (refusal.IsEmpty()) {
    RequireSpatialRank(descriptor.spatial_rank, layer.Output(), "the output", refusal);
  }
  if (!refusal.IsEmpty()) return;
  const Window window = MakePoolingWindow(layer, descriptor);
  RequireSoundWindow(window, descriptor.spatial_rank, refusal);
  if (!refusal.IsEmpty()) return;
  RequirePooledShape(layer, window, descriptor.spatial_rank, descriptor.rounding, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
