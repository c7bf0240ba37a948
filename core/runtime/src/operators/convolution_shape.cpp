#include "operators/convolution_shape.hpp"

#include "operators/window.hpp"
#include "tensors/tensor_text.hpp"

#include <string>

namespace backplane {

namespace {

void CheckGroups(const OperatorInputs& inputs, std::uint32_t groups) {
  inputs.RequirePositive("groups", groups);
  RequireGroupsOfChannels(inputs, groups);
  const std::int64_t num_filters = inputs[1].shape[0];
  if (num_filters % groups != 0) {
    inputs.Fail(DiagnosticCode::kWrongShape, "the groups do not divide the filters",
                "found " + std::to_string(num_filters) + " filters in " +
                    DescribeTensor(inputs[1]) + " and " + std::to_string(groups) +
                    " groups; expected a multiple of " + std::to_string(groups) + " filters",
                "correct groups or the shape of the weights");
  }
  inputs.RequireExtent(1, "the weights", 1, inputs[0].shape[1] / groups,
                       "the channels of the input divided by groups");
}

}  // namespace

void RequireGroupsOfChannels(const OperatorInputs& inputs, std::uint32_t groups) {
  const std::int64_t num_channels = inputs[0].shape[1];
  if (num_channels % groups == 0) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "the groups do not divide the channels of the input",
              "found " + std::to_string(num_channels) + " channels in " +
                  DescribeTensor(inputs[0]) + " and " + std::to_string(groups) +
                  " groups; expected a multiple of " + std::to_string(groups) + " channels",
              "correct groups or the shape of the input");
}

TensorShape InferConvolutionShape(const OperatorInputs& inputs,
                                  const ConvolutionDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  const std::uint32_t rank = descriptor.spatial_rank + 2;
  inputs.RequireRank(0, "the input", rank, "[N, C, spatial...]");
  inputs.RequireRank(1, "the weights", rank, "[M, C / groups, kernel...]");
  CheckGroups(inputs, descriptor.groups);
  const TensorShape& weights = inputs[1].shape;
  TensorShape shape{inputs[0].shape[0], weights[0]};
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const Window window{inputs[0].shape[axis + 2],   weights[axis + 2],
                        descriptor.strides[axis],    descriptor.dilations[axis],
                        descriptor.pads_begin[axis], descriptor.pads_end[axis]};
    const std::int64_t span = GetKernelSpan(inputs, window, axis);
    const std::int64_t padded = GetPaddedInput(inputs, window, span, axis);
    shape.Append((padded - span) / window.stride + 1);
  }
  return shape;
}

}  // namespace backplane
