#pragma once

#include "kernel_builders/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of a product of which nothing is left but the bias, input 2, or zeros without one:
/// its sums have no terms. The plain output is [outer..., channels, inner...], where the channels
/// stand at `channel_axis`.
std::unique_ptr<const Kernel> MakeBiasFill(KernelMaker& maker, std::uint32_t channel_axis);

/// Whether a tensor has no elements.
inline bool IsEmpty(const GraphTensor& tensor) {
  return tensor.info.shape.GetNumElements() == 0;
}

}  // namespace cpuacc
}  // namespace backplane
