#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The k largest or smallest elements along the axis and their indices. NaN counts as larger than
/// everything; of equal elements the one with the lower index comes first.
struct TopKDescriptor : Descriptor<TopKDescriptor> {
  std::uint32_t axis = 0;       // counted from the outermost, which is 0
  std::uint32_t largest = 1;    // 0: the smallest
  std::uint32_t is_sorted = 1;  // 1: largest or smallest first; 0: in any order
  std::int64_t k = 0;           // 0 to the extent of the axis
};
BACKPLANE_CHECK_DESCRIPTOR(TopKDescriptor, k);

}  // namespace backplane
