#pragma once

#include "cpu_layers/refusal.hpp"

#include <backplane/api/descriptors/resize.hpp>

namespace backplane {
namespace cpu_layers {

/// Refuses a layer with a ResizeDescriptor whose input and output do not fit it, whatever their
/// data types.
void RequireResize(const Layer& layer, Refusal& refusal);

/// Whether places outside of the input have a value of their own.
inline bool IsCrop(const ResizeDescriptor& descriptor) {
  return descriptor.coordinates == ResizeCoordinates::kTfCropAndResize;
}

}  // namespace cpu_layers
}  // namespace backplane
