#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused.
enum class ArgOperation : std::uint32_t {
  kMinimum = 1,
  kMaximum = 2,
};

/// The index along the axis of the least or greatest element. NaN counts as either.
struct ArgMinMaxDescriptor : Descriptor<ArgMinMaxDescriptor> {
  ArgOperation operation = ArgOperation::kMaximum;
  std::uint32_t axis = 0;         // counted from the outermost, which is 0
  std::uint32_t keep_dims = 0;    // 1: the axis stays, with extent 1
  std::uint32_t select_last = 0;  // of equal elements: 0 the first, 1 the last
};
BACKPLANE_CHECK_DESCRIPTOR(ArgMinMaxDescriptor, select_last);

}  // namespace backplane
