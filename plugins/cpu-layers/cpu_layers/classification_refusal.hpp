#pragma once

/// What FloatClassification may be.

#include "cpu_layers/refusal.hpp"

#include <backplane/api/descriptors/float_classification.hpp>

namespace backplane {
namespace cpu_layers {

inline void RequireFloatClassification(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<FloatClassificationDescriptor>();
  RequireFlag("detect_nan", descriptor.detect_nan, refusal);
  RequireFlag("detect_positive_infinity", descriptor.detect_positive_infinity, refusal);
  RequireFlag("detect_negative_infinity", descriptor.detect_negative_infinity, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
