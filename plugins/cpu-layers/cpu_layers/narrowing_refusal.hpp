#pragma once

#include "cpu_layers/enumerators.hpp"

#include <backplane/api/descriptors/cast.hpp>

namespace backplane {
namespace cpu_layers {

/// Refuses ways to make narrow floats that are not known, whatever the cast makes.
inline void RequireKnownNarrowing(const CastDescriptor& cast, Refusal& refusal) {
  RequireEnumerator("overflow", cast.overflow, NarrowOverflow::kSpecial,
                    "Saturate (1) and Special (2)", refusal);
  RequireEnumerator("scale rounding", cast.scale_rounding, ScaleRounding::kNearest,
                    "Up (1), Down (2) and Nearest (3)", refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
