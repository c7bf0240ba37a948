#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused.
enum class Triangle : std::uint32_t {
  kUpper = 1,
  kLower = 2,
};

/// Of each matrix, held in the last two axes, what lies on the diagonal and above (kUpper) or below
/// it (kLower); the rest becomes 0.
struct TriangularPartDescriptor : Descriptor<TriangularPartDescriptor> {
  Triangle part = Triangle::kUpper;
  std::int64_t diagonal = 0;  // 0 is the main one, positive numbers lie above it
};
BACKPLANE_CHECK_DESCRIPTOR(TriangularPartDescriptor, diagonal);

}  // namespace backplane
