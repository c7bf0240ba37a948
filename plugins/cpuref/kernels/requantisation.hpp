#pragma once

/// Quantised products in integers: sums of products of bytes in int32, which one float multiplier
/// turns into elements of the output. That is how ONNX Runtime defines them too, bit by bit.

#include "elements/round.hpp"
#include "kernel.hpp"
#include "kernels/byte_lines.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuref {

/// What is known of the channels of the output before the run.
struct Requantisation {
  std::vector<float> multipliers;         // one for each channel
  std::vector<std::int32_t> zero_points;  // of the second operand, one for each channel
  std::int32_t input_zero_point = 0;
  std::int32_t output_zero_point = 0;

  ZeroPoints OfFirst() const { return {&input_zero_point, 0}; }
  ZeroPoints OfSecond() const { return {zero_points.data(), 1}; }
};

/// Whether the product of inputs 0 and 1 can be made so: both and the output have 8 bits, and one
/// scale each, or the second operand one for each index of `channel_axis`; and the bias, input 2,
/// is int32 with the product of the scales as its scale and no zero point.
bool HasIntegerForm(const Layer& layer, std::uint32_t channel_axis);

/// Of a layer that has an integer form and so many channels.
Requantisation MakeRequantisation(const Layer& layer, std::int64_t num_channels);

/// Elements of 8 bits from sums.
template <typename Stored>
class RequantisedSums : public SumSink {
 public:
  /// The bias has an element for each channel; null: there is none.
  RequantisedSums(const Requantisation& requantisation, const std::int32_t* bias, Stored* output)
      : requantisation_(requantisation),
        range_(requantisation.output_zero_point),
        bias_(bias),
        output_(output) {}

  void Take(const SumRow& row) const override {
    // A step that the compiler knows lets it vectorise the loop.
    if (row.channel_step == 0) {
      Convert<0>(row);
    } else {
      Convert<1>(row);
    }
  }

 private:
  template <int kStep>
  void Convert(const SumRow& row) const {
    const float* multipliers = requantisation_.multipliers.data() + row.channel;
    Stored* output = output_ + row.output;
    if (bias_ == nullptr) {
      for (std::int64_t i = 0; i < row.count; ++i) {
        output[i] = Convert(row.sums[i], multipliers[i * kStep]);
      }
      return;
    }
    const std::int32_t* bias = bias_ + row.channel;
    for (std::int64_t i = 0; i < row.count; ++i) {
      const auto sum =
          static_cast<std::uint32_t>(row.sums[i]) + static_cast<std::uint32_t>(bias[i * kStep]);
      output[i] = Convert(static_cast<std::int32_t>(sum), multipliers[i * kStep]);
    }
  }

  Stored Convert(std::int32_t sum, float multiplier) const {
    const float scaled = range_.Clamp(static_cast<float>(sum) * multiplier);
    const auto rounded = static_cast<std::int32_t>(RoundSmall(scaled));
    return static_cast<Stored>(rounded + requantisation_.output_zero_point);
  }

  const Requantisation& requantisation_;
  const StoredRange<Stored, float> range_;
  const std::int32_t* const bias_;
  Stored* const output_;
};

/// The elements of a tensor of bytes.
inline Bytes GetBytes(const RunTensors& tensors, std::uint32_t input, bool is_signed) {
  return {tensors.Input<void>(input), is_signed};
}

}  // namespace cpuref
}  // namespace backplane
