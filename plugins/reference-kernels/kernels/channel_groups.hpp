#pragma once

/// What normalising channels of each batch entry, one by one or in groups, has in common.

#include "cpu_layers/channels.hpp"
#include "kernel.hpp"
#include "kernels/moments.hpp"
#include "layer.hpp"

#include <cmath>
#include <cstdint>

namespace backplane {
namespace reference {

/// Input [N, C, ...], whose groups are neighbouring channels of one batch entry.
struct ChannelGroups {
  std::int64_t num_groups = 0;  // of all batch entries
  std::int64_t num_channels = 0;
  std::int64_t group_channels = 0;
  std::int64_t channel_elements = 1;  // in one batch entry
  double epsilon = 0.0;
};

/// `num_groups` is that of one batch entry, and divides the channels.
inline ChannelGroups MakeChannelGroups(const TensorShape& shape, std::int64_t num_groups,
                                       float epsilon) {
  ChannelGroups groups;
  if (shape.GetNumElements() == 0) return groups;
  groups.num_groups = shape[0] * num_groups;
  groups.num_channels = shape[1];
  groups.group_channels = shape[1] / num_groups;
  for (std::uint32_t axis = 2; axis < shape.rank; ++axis) groups.channel_elements *= shape[axis];
  groups.epsilon = static_cast<double>(epsilon);
  return groups;
}

/// Inputs: what is normalised, scale, bias.
template <typename Number>
void NormalizeChannelGroups(const ChannelGroups& groups, const RunTensors& tensors) {
  const Number* input = tensors.Input<Number>(0);
  const Number* scale = tensors.Input<Number>(1);
  const Number* bias = tensors.Input<Number>(2);
  Number* output = tensors.Output<Number>();
  for (std::int64_t group = 0; group < groups.num_groups; ++group) {
    const Moments moments = ComputeMoments(input, groups.group_channels * groups.channel_elements);
    const double inverse = 1.0 / std::sqrt(moments.variance + groups.epsilon);
    for (std::int64_t i = 0; i < groups.group_channels; ++i) {
      const std::int64_t channel = (group * groups.group_channels + i) % groups.num_channels;
      const double factor = inverse * static_cast<double>(scale[channel]);
      const auto addend = static_cast<double>(bias[channel]);
      for (std::int64_t k = 0; k < groups.channel_elements; ++k) {
        const double difference = static_cast<double>(input[k]) - moments.mean;
        output[k] = static_cast<Number>(difference * factor + addend);
      }
      input += groups.channel_elements;
      output += groups.channel_elements;
    }
  }
}

}  // namespace reference
}  // namespace backplane
