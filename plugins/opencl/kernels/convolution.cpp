#include "cpu_layers/convolution_refusal.hpp"
#include "kernels/convolutions.hpp"
#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"

#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {
namespace opencl {
namespace {

bool IsPointwise(const ConvolutionGeometry& geometry) {
  const Window& window = geometry.window;
  return cpu_layers::IsPointwise(window[0]) && cpu_layers::IsPointwise(window[1]) &&
         cpu_layers::IsPointwise(window[2]);
}

}  // namespace

ConvolutionGeometry MakeConvolutionGeometry(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<ConvolutionDescriptor>();
  const TensorShape& weights = layer.Input(1).shape;
  ConvolutionGeometry geometry;
  geometry.window =
      MakeWindow(descriptor, weights.dims + 2, layer.Input(0).shape, layer.Output().shape);
  geometry.num_images = layer.Input(0).shape[0];
  geometry.groups = descriptor.groups;
  geometry.group_channels = weights[1];
  geometry.group_filters = weights[0] / descriptor.groups;
  geometry.inner = weights[1];
  for (std::uint32_t axis = 2; axis < weights.rank; ++axis) geometry.inner *= weights[axis];
  return geometry;
}

std::string FindRefusalOfConvolution(const PlannedLayer& layer, const DeviceLimits&) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireConvolution(layer, refusal);
  RequireConvolutionBias(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanConvolution(const PlannedLayer& layer, const DeviceLimits& limits) {
  KernelPlan plan;
  if (layer.Output().shape.GetNumElements() == 0) return plan;
  const ConvolutionGeometry geometry = MakeConvolutionGeometry(layer);
  const std::int64_t num_planes = geometry.num_images * geometry.groups * geometry.group_channels;
  if (geometry.group_channels == 1 || !CanLayOut(geometry.window, num_planes)) {
    AppendDepthwiseConvolution(layer, geometry, limits, plan);
  } else if (IsPointwise(geometry)) {
    AppendPointwiseConvolution(layer, geometry, limits, plan);
  } else if (PaysAsWinograd(layer, geometry, limits)) {
    AppendWinogradConvolution(layer, geometry, limits, plan);
  } else {
    AppendDirectConvolution(layer, geometry, limits, plan);
  }
  return plan;
}

}  // namespace opencl
}  // namespace backplane
