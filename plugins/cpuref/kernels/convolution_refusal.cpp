#include "kernels/convolution_refusal.hpp"

#include "kernels/window.hpp"

#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {
namespace cpuref {
namespace {

void CheckChannels(const Layer& layer, std::int64_t groups, Refusal& refusal) {
  const std::int64_t input_channels = layer.Input(0).shape[1];
  const TensorShape& weights = layer.Input(1).shape;
  if (groups < 1 || input_channels % groups != 0 || weights[0] % groups != 0) {
    refusal.Add("groups is ", groups, ", but must be 1 or more and divide ", input_channels,
                " input channels and ", weights[0], " output channels");
  } else if (weights[1] != input_channels / groups) {
    refusal.Add("input 1 (weights) has ", weights[1], " channels, but must have ",
                input_channels / groups, ": ", input_channels, " of input 0 in ", groups,
                " groups");
  }
}

TensorShape GetOutputShape(const Layer& layer, const Window& window, std::uint32_t spatial_rank) {
  TensorShape shape = {layer.Input(0).shape[0], layer.Input(1).shape[0]};
  for (std::uint32_t i = kMaxSpatialRank - spatial_rank; i < kMaxSpatialRank; ++i) {
    shape.Append(CountWholeWindows(window[i]));
  }
  return shape;
}

}  // namespace

void RequireConvolutionRanks(const Layer& layer, std::uint32_t spatial_rank, Refusal& refusal) {
  RequireSpatialRank(spatial_rank, layer.Input(0), "input 0", refusal);
  if (!refusal.IsEmpty()) return;
  RequireSpatialRank(spatial_rank, layer.Input(1), "input 1 (weights)", refusal);
  RequireSpatialRank(spatial_rank, layer.Output(), "the output", refusal);
}

void RequireConvolution(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<ConvolutionDescriptor>();
  Refusal ranks;
  RequireConvolutionRanks(layer, descriptor.spatial_rank, ranks);
  if (!ranks.IsEmpty()) return refusal.Add(ranks.GetReason());
  const Window window = MakeWindow(descriptor, layer.Input(1).shape.dims + 2, layer.Input(0).shape,
                                   layer.Output().shape);
  CheckChannels(layer, descriptor.groups, refusal);
  RequireSoundWindow(window, descriptor.spatial_rank, refusal);
  if (!refusal.IsEmpty()) return;
  RequireOutputShape(layer, GetOutputShape(layer, window, descriptor.spatial_rank), refusal);
}

}  // namespace cpuref
}  // namespace backplane
