#pragma once

/// FloatClassification, which both backends for CPUs run.

#include "cpu_layers/refusal.hpp"

#include <backplane/api/descriptors/float_classification.hpp>

#include <cstdint>
#include <limits>

namespace backplane {
namespace cpu_layers {

/// Refuses flags and an output shape that are none. Types are not looked at.
inline void RequireFloatClassification(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<FloatClassificationDescriptor>();
  RequireFlag("detect_nan", descriptor.detect_nan, refusal);
  RequireFlag("detect_positive_infinity", descriptor.detect_positive_infinity, refusal);
  RequireFlag("detect_negative_infinity", descriptor.detect_negative_infinity, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
}

/// Says of so many elements whether each is of a kind that is looked for.
template <typename Number>
void ClassifyFloats(const FloatClassificationDescriptor& descriptor, const Number* input,
                    std::int64_t count, std::uint8_t* output) {
  constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
  const bool detect_nan = descriptor.detect_nan != 0;
  const bool detect_positive = descriptor.detect_positive_infinity != 0;
  const bool detect_negative = descriptor.detect_negative_infinity != 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const Number x = input[i];
    output[i] = (detect_nan & (x != x)) | (detect_positive & (x == kInfinity)) |
                (detect_negative & (x == -kInfinity));
  }
}

}  // namespace cpu_layers
}  // namespace backplane
