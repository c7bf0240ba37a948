#pragma once

/// DepthToSpace and SpaceToDepth are the same arrangement, read in one direction or the other.

#include "cpu_layers/refusal.hpp"
#include "cpu_layers/strided_copy.hpp"

#include <backplane/api/descriptors/depth_to_space.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpu_layers {

/// [N, C * block^k, spatial...] on one side, [N, C, spatial * block...] on the other.
struct DepthSpace {
  const TensorInfo& depth;
  const TensorInfo& space;
  std::uint32_t block;
  DepthOrder order;
};

/// Refuses shapes and descriptors that do not go together.
void RequireDepthSpace(const Layer& layer, const DepthSpace& sides, Refusal& refusal);

/// A part of an axis, which both sides have, with the elements from one index to the next.
struct SharedAxis {
  std::int64_t extent;
  std::int64_t depth_step;
  std::int64_t space_step;
};

/// N, C, and for each spatial axis, the last first, the blocks and the places in a block.
std::vector<SharedAxis> GetSharedAxes(const DepthSpace& sides);

enum class DepthSpaceDirection : std::uint32_t { kToDepth, kToSpace };

/// The copy, prepared, from one side to the other.
StridedCopy MakeCopy(const DepthSpace& sides, DepthSpaceDirection direction);

}  // namespace cpu_layers
}  // namespace backplane
