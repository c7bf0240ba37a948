#pragma once

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc_test {

/// The sizes of a convolution. Axes on which the kernel is 1 are not padded; others are, by one
/// less at the end.
struct WindowCase {
  std::int64_t groups = 1;
  std::int64_t channels = 1;  // of a group
  std::int64_t filters = 1;   // of a group
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> kernel;
  std::uint32_t stride = 1;
  std::uint32_t dilation = 1;
  std::uint32_t pad = 0;
  std::int64_t images = 1;
};

/// The layer, and the shapes of its tensors.
struct WindowConvolution {
  explicit WindowConvolution(const WindowCase& sizes);
  /// With the strides, dilations and padding of `windows`. Windows must fit.
  WindowConvolution(const WindowCase& sizes, const ConvolutionDescriptor& windows);

  ConvolutionDescriptor descriptor;
  TensorShape input;
  TensorShape weights;
  TensorShape output;
};

}  // namespace cpuacc_test
}  // namespace backplane
