#include "test/window_case.hpp"

namespace backplane {
namespace cpuacc_test {

WindowConvolution::WindowConvolution(const WindowCase& sizes)
    : input{sizes.images, sizes.groups * sizes.channels},
      weights{sizes.groups * sizes.filters, sizes.channels},
      output{sizes.images, sizes.groups * sizes.filters} {
  descriptor.spatial_rank = static_cast<std::uint32_t>(sizes.extents.size());
  descriptor.groups = static_cast<std::uint32_t>(sizes.groups);
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const std::int64_t kernel = sizes.kernel[axis];
    const std::uint32_t pad = kernel > 1 ? sizes.pad : 0;
    descriptor.strides[axis] = sizes.stride;
    descriptor.dilations[axis] = sizes.dilation;
    descriptor.pads_begin[axis] = pad;
    descriptor.pads_end[axis] = pad > 0 ? pad - 1 : 0;
    const std::int64_t padded =
        sizes.extents[axis] + descriptor.pads_begin[axis] + descriptor.pads_end[axis];
    input.Append(sizes.extents[axis]);
    weights.Append(kernel);
    output.Append((padded - (kernel - 1) * sizes.dilation - 1) / sizes.stride + 1);
  }
}

}  // namespace cpuacc_test
}  // namespace backplane
