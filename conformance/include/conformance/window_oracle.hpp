#pragma once

/// What the oracles of convolutions and poolings have in common.

#include "conformance/layer_case.hpp"

namespace backplane {
namespace conformance {

/// Where element `kernel` of the window lies in the input; false in the padding.
template <typename WindowDescriptor>
bool MoveUnder(const WindowDescriptor& descriptor, const TensorShape& input, const Indices& kernel,
               Indices& position) {
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    std::int64_t& index = position[i + 2];
    index = index * descriptor.strides[i] + kernel[i + 2] * descriptor.dilations[i] -
            descriptor.pads_begin[i];
    if (index < 0 || index >= input[i + 2]) return false;
  }
  return true;
}

/// Random windows that fit; their number along an axis.
template <typename WindowDescriptor>
std::int64_t MakeRandomWindow(Random& random, std::uint32_t i, std::int64_t input,
                              std::int64_t kernel, WindowDescriptor& descriptor) {
  descriptor.strides[i] = random.Word(1, 3);
  descriptor.dilations[i] = random.Word(1, 2);
  descriptor.pads_begin[i] = random.Word(0, static_cast<std::uint32_t>(kernel) - 1);
  descriptor.pads_end[i] = random.Word(0, static_cast<std::uint32_t>(kernel) - 1);
  const std::int64_t padded = input + descriptor.pads_begin[i] + descriptor.pads_end[i];
  return (padded - (kernel - 1) * descriptor.dilations[i] - 1) / descriptor.strides[i] + 1;
}

}  // namespace conformance
}  // namespace backplane
