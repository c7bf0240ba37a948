#include "kernels/convolutions.hpp"
#include "kernels/elements.hpp"

namespace backplane {
namespace opencl {

void AppendDepthwiseConvolution(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                                const DeviceLimits& limits, KernelPlan& plan) {
  WindowLayer windows;
  windows.function = WindowFunction::kProducts;
  windows.window = geometry.window;
  windows.num_images = geometry.num_images;
  windows.channels = geometry.groups * geometry.group_channels;
  windows.group_channels = geometry.group_channels;
  windows.filters = geometry.groups * geometry.group_filters;
  windows.input = ReadInput(layer, 0);
  windows.output = WriteOutput(layer);
  windows.weights = ReadInput(layer, 1);
  if (layer.num_inputs == 3) windows.bias = ReadInput(layer, 2);
  windows.data_type = layer.Output().data_type;
  AppendWindowLayer(windows, layer.epilogue, limits, plan);
}

}  // namespace opencl
}  // namespace backplane
