#pragma once

#include "cpu_layers/strided_copy.hpp"

#include <backplane/api/descriptors/tile.hpp>
#include <backplane/api/tensor_info.hpp>

namespace backplane {
namespace cpu_layers {

/// The copies, prepared, that repeat a dense tensor as Expand and Tile do.
StridedCopy MakeExpandingCopy(const TensorInfo& input, const TensorInfo& output);
StridedCopy MakeTilingCopy(const TileDescriptor& tile, const TensorInfo& input,
                           const TensorInfo& output);

}  // namespace cpu_layers
}  // namespace backplane
