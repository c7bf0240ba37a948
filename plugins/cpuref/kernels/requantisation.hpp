#pragma once

/// The outputs of quantised products.

#include "cpu_layers/requantisation.hpp"
#include "elements/round.hpp"
#include "kernel.hpp"
#include "kernels/byte_lines.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuref {

inline ZeroPoints OfFirst(const Requantisation& requantisation) {
  return {&requantisation.input_zero_point, 0};
}
inline ZeroPoints OfSecond(const Requantisation& requantisation) {
  return {requantisation.zero_points.data(), 1};
}

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
