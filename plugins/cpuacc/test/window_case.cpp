#include "test/window_case.hpp"

namespace backplane {
namespace cpuacc_test {
namespace {

ConvolutionDescriptor MakeWindows(const WindowCase& sizes) {
  ConvolutionDescriptor windows;
  for (std::size_t axis = 0; axis < sizes.kernel.size(); ++axis) {
    const std::uint32_t pad = sizes.kernel[axis] > 1 ? sizes.pad : 0;
    windows.strides[axis] = sizes.stride;
    windows.dilations[axis] = sizes.dilation;
    windows.pads_begin[axis] = pad;
    windows.pads_end[axis] = pad > 0 ? pad - 1 : 0;
  }
  return windows;
}

}  // namespace

WindowConvolution::WindowConvolution(const WindowCase& sizes)
    : WindowConvolution(sizes, MakeWindows(sizes)) {}

WindowConvolution::WindowConvolution(const WindowCase& sizes, const ConvolutionDescriptor& windows)
    : descriptor(windows),
      input{sizes.images, sizes.groups * sizes.channels},
      weights{sizes.groups * sizes.filters, sizes.channels},
      output{sizes.images, sizes.groups * sizes.filters} {
  descriptor.spatial_rank = static_cast<std::uint32_t>(sizes.extents.size());
  descriptor.groups = static_cast<std::uint32_t>(sizes.groups);
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const std::int64_t padded =
        sizes.extents[axis] + windows.pads_begin[axis] + windows.pads_end[axis];
    const std::int64_t reach = (sizes.kernel[axis] - 1) * windows.dilations[axis] + 1;
    input.Append(sizes.extents[axis]);
    weights.Append(sizes.kernel[axis]);
    output.Append((padded - reach) / windows.strides[axis] + 1);
  }
}

}  // namespace cpuacc_test
}  // namespace backplane
