#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Which extents of the input are given: those of the axes from `start` to before `end`.
struct ShapeDescriptor : Descriptor<ShapeDescriptor> {
  std::uint32_t start = 0;
  std::uint32_t end = 0;  // at most the rank
};
BACKPLANE_CHECK_DESCRIPTOR(ShapeDescriptor, end);

}  // namespace backplane
