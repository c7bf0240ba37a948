#pragma once

#include "kernel.hpp"
#include "layer.hpp"

#include <cstdint>

namespace backplane {
namespace cpuref {

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

}  // namespace cpuref
}  // namespace backplane
