#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/scatter_elements.hpp>

#include <cstdint>

namespace backplane {

/// Input 0 with updates (input 2), elements or slices, at the positions that the innermost axis of
/// the indices (input 1) holds. Negative indices count from the end. An index that still lies
/// outside fails the run with InvalidArgumentException.
struct ScatterNdDescriptor : Descriptor<ScatterNdDescriptor> {
  ScatterReduction reduction = ScatterReduction::kNone;
};
BACKPLANE_CHECK_DESCRIPTOR(ScatterNdDescriptor, reduction);

}  // namespace backplane
