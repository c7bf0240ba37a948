#pragma once

/// Quantised products in integers: sums of products of bytes in int32, which one float multiplier
/// turns into elements of the output. That is how ONNX Runtime defines them too, bit by bit.

#include "cpu_layers/layer.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpu_layers {

/// What is known of the channels of the output before the run.
struct Requantisation {
  std::vector<float> multipliers;         // one for each channel
  std::vector<std::int32_t> zero_points;  // of the second operand, one for each channel
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;
};

/// Whether the product of inputs 0 and 1 can be made so: both and the output have 8 bits, and one
/// scale each, or the second operand one for each index of `channel_axis`; and the bias, input 2,
/// is int32 with the product of the scales as its scale and no zero point.
bool HasIntegerForm(const Layer& layer, std::uint32_t channel_axis);

/// Of a layer that has an integer form, or one but for its output, which is not quantised, and so
/// many channels.
Requantisation MakeRequantisation(const Layer& layer, std::int64_t num_channels);

}  // namespace cpu_layers
}  // namespace backplane
