#pragma once

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The function of t = 2 * pi * i / n. Numbers are never reused.
enum class WindowFunction : std::uint32_t {
  kHann = 1,      // 0.5 - 0.5 * cos(t)
  kHamming = 2,   // 25 / 46 - 21 / 46 * cos(t)
  kBlackman = 3,  // 0.42 - 0.5 * cos(t) + 0.08 * cos(2 * t)
};

/// A symmetric window of one element is 1.
struct WindowFunctionDescriptor : Descriptor<WindowFunctionDescriptor> {
  WindowFunction function = WindowFunction::kHann;
  std::uint32_t is_periodic = 1;            // 1: n is the size; 0: size - 1, symmetric
  DataType data_type = DataType::kFloat32;  // of the output: one of the floating-point types
  std::int64_t size = 0;
};
BACKPLANE_CHECK_DESCRIPTOR(WindowFunctionDescriptor, size);

}  // namespace backplane
