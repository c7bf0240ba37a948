#include "cpu_layers/convolution_refusal.hpp"

#include "cpu_layers/window.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>

namespace backplane {
namespace cpu_layers {
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

void CheckTransposedChannels(const Layer& layer, std::int64_t groups, Refusal& refusal) {
  const std::int64_t channels = layer.Input(0).shape[1];
  const TensorShape& weights = layer.Input(1).shape;
  if (groups < 1 || channels % groups != 0) {
    refusal.Add("groups is ", groups, ", but must be 1 or more and divide ", channels,
                " input channels");
  }
  if (weights[0] != channels) {
    refusal.Add("input 1 (weights) has ", weights[0], " channels, but must have ", channels,
                " as input 0");
  }
  std::int64_t filters = 0;
  if (__builtin_mul_overflow(weights[1], groups, &filters)) {
    refusal.Add("input 1 (weights) has too many filters");
  } else if (layer.num_inputs == 3 && layer.Input(2).shape != TensorShape{filters}) {
    refusal.Add("input 2 (bias) has shape ", DescribeShape(layer.Input(2).shape),
                ", but must have ", DescribeShape({filters}));
  }
}

/// Needs a window whose numbers are small enough that nothing here overflows.
TensorShape GetTransposedShape(const Layer& layer,
                               const TransposedConvolutionDescriptor& descriptor,
                               const Window& window, Refusal& refusal) {
  TensorShape shape = {layer.Input(0).shape[0], layer.Input(1).shape[1] * descriptor.groups};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const WindowAxis& axis = window[kMaxSpatialRank - descriptor.spatial_rank + i];
    const std::int64_t span = (axis.kernel - 1) * axis.dilation + 1;
    const std::int64_t extent = (axis.input - 1) * axis.stride + span - axis.pad_begin -
                                axis.pad_end + descriptor.output_padding[i];
    if (axis.input == 0 || extent < 0) {
      refusal.Add("the windows of spatial axis ", i, " leave no output");
    }
    shape.Append(extent);
  }
  return shape;
}

/// One element, or of the filters one for each.
void CheckZeroPointOfConvolution(const Layer& layer, std::uint32_t input, Refusal& refusal) {
  if (input >= layer.num_inputs) return;
  const TensorShape& shape = layer.Input(input).shape;
  const std::int64_t filters = layer.Input(1).shape[0];
  if (shape.rank <= 1 && shape.GetNumElements() == 1) return;
  if (input == 3 && shape == TensorShape{filters}) return;
  refusal.Add("input ", input, " (zero point) has shape ", DescribeShape(shape),
              ", but must have one element",
              input == 3 ? Text(" or ", filters, ", one for each filter") : "");
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

void RequireIntegerConvolution(const Layer& layer, Refusal& refusal) {
  Refusal found;
  RequireConvolution(layer, found);
  if (!found.IsEmpty()) return refusal.Add(found.GetReason());
  CheckZeroPointOfConvolution(layer, 2, refusal);
  CheckZeroPointOfConvolution(layer, 3, refusal);
}

void RequireConvolutionBias(const Layer& layer, Refusal& refusal) {
  if (layer.num_inputs < 3 || layer.Input(1).shape.rank == 0) return;
  const TensorShape bias = {layer.Input(1).shape[0]};
  if (layer.Input(2).shape == bias) return;
  refusal.Add("input 2 (bias) has shape ", DescribeShape(layer.Input(2).shape), ", but must have ",
              DescribeShape(bias));
}

void RequireTransposedConvolution(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<TransposedConvolutionDescriptor>();
  Refusal found;
  RequireConvolutionRanks(layer, descriptor.spatial_rank, found);
  if (!found.IsEmpty()) return refusal.Add(found.GetReason());
  const Window window = MakeWindow(descriptor, layer.Input(1).shape.dims + 2, layer.Input(0).shape,
                                   layer.Output().shape);
  CheckTransposedChannels(layer, descriptor.groups, found);
  RequireSoundWindow(window, descriptor.spatial_rank, found);
  if (!found.IsEmpty()) return refusal.Add(found.GetReason());
  const TensorShape shape = GetTransposedShape(layer, descriptor, window, refusal);
  if (refusal.IsEmpty()) RequireOutputShape(layer, shape, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
