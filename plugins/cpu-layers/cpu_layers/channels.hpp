#pragma once

#include "cpu_layers/refusal.hpp"

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Refuses an input that is no vector with an entry for each channel of input 0, which has them
/// along `axis`.
inline void RequireEntryPerChannel(const Layer& layer, std::uint32_t input, std::uint32_t axis,
                                   Refusal& refusal) {
  const TensorShape expected = {layer.Input(0).shape[axis]};
  const TensorShape& found = layer.Input(input).shape;
  if (found == expected) return;
  refusal.Add("input ", input, " has shape ", DescribeShape(found), ", but must have ",
              DescribeShape(expected), ", an entry for each channel of input 0");
}

/// Refuses other shapes than [N, C, ...], [C], [C] and an output like the first.
inline void RequireChannelShapes(const Layer& layer, Refusal& refusal) {
  const TensorShape& shape = layer.Input(0).shape;
  RequireOutputShape(layer, shape, refusal);
  if (shape.rank < 2) {
    refusal.Add("input 0 has rank ", shape.rank, ", but must have 2 or more, [N, C, ...]");
    return;
  }
  RequireEntryPerChannel(layer, 1, 1, refusal);
  RequireEntryPerChannel(layer, 2, 1, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
