#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// What becomes of an element that is there and an update. Numbers are never reused.
enum class ScatterReduction : std::uint32_t {
  kNone = 1,  // the update; of several for one element the last
  kAdd = 2,
  kMul = 3,
  kMax = 4,
  kMin = 5,
};

/// Input 0 with updates (input 2) at the places that the indices (input 1, of the same shape) name
/// along the axis. Negative indices count from the end. An index that still lies outside fails the
/// run with InvalidArgumentException.
struct ScatterElementsDescriptor : Descriptor<ScatterElementsDescriptor> {
  std::uint32_t axis = 0;  // counted from the outermost, which is 0
  ScatterReduction reduction = ScatterReduction::kNone;
};
BACKPLANE_CHECK_DESCRIPTOR(ScatterElementsDescriptor, reduction);

}  // namespace backplane
