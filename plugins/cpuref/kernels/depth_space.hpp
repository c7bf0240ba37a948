#pragma once

/// DepthToSpace and SpaceToDepth are the same arrangement, read in one direction or the other.

#include "kernel.hpp"
#include "layer.hpp"

#include <backplane/api/descriptors/depth_to_space.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuref {

/// [N, C * block^k, spatial...] on one side, [N, C, spatial * block...] on the other.
struct DepthSpace {
  const TensorInfo& depth;
  const TensorInfo& space;
  std::uint32_t block;
  DepthOrder order;
};

/// Refuses shapes and descriptors that do not go together.
void CheckDepthSpace(const Layer& layer, const DepthSpace& sides, Refusal& refusal);

std::unique_ptr<Kernel> MakeDepthToSpaceKernel(const DepthSpace& sides);
std::unique_ptr<Kernel> MakeSpaceToDepthKernel(const DepthSpace& sides);

}  // namespace cpuref
}  // namespace backplane
