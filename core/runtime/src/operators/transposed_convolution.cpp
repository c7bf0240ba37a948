#include "operators/convolution_shape.hpp"
#include "operators/operators.hpp"
#include "operators/window.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

// The number of filters, M.
std::int64_t CheckGroups(const OperatorInputs& inputs, std::uint32_t groups) {
  inputs.RequirePositive("groups", groups);
  inputs.RequireExtent(1, "the weights", 0, inputs[0].shape[1], "the channels of the input");
  RequireGroupsOfChannels(inputs, groups);
  std::int64_t num_filters = 0;
  if (__builtin_mul_overflow(inputs[1].shape[1], std::int64_t{groups}, &num_filters)) {
    inputs.Fail(DiagnosticCode::kTensorTooLarge, "it has too many filters",
                "found " + DescribeTensor(inputs[1]) + " as weights and " + std::to_string(groups) +
                    " groups; expected a product that fits 63 bits",
                "correct groups or the shape of the weights");
  }
  return num_filters;
}

std::int64_t GetOutputExtent(const OperatorInputs& inputs, const Window& window,
                             std::uint32_t output_padding, std::uint32_t spatial_axis) {
  const std::int64_t span = GetKernelSpan(inputs, window, spatial_axis);
  const std::string found = "found extent " + std::to_string(window.input) + " with stride " +
                            std::to_string(window.stride) + ", a kernel that spans " +
                            std::to_string(span) + ", padding " + std::to_string(window.pad_begin) +
                            " + " + std::to_string(window.pad_end) + " and output padding " +
                            std::to_string(output_padding) + " at spatial axis " +
                            std::to_string(spatial_axis);
  if (window.input == 0) {
    inputs.Fail(DiagnosticCode::kWrongShape, "a spatial axis of the input is empty",
                found + "; expected an extent of 1 or more", "correct the shape of the input");
  }
  std::int64_t extent = 0;
  if (__builtin_mul_overflow(window.input - 1, std::int64_t{window.stride}, &extent) ||
      __builtin_add_overflow(extent, span, &extent) ||
      __builtin_add_overflow(extent, std::int64_t{output_padding}, &extent)) {
    inputs.Fail(DiagnosticCode::kTensorTooLarge, "the output is too large",
                found + "; expected an output whose extent fits 63 bits",
                "correct the strides or the kernel");
  }
  const std::int64_t padding = std::int64_t{window.pad_begin} + window.pad_end;
  if (padding > extent) {
    inputs.Fail(DiagnosticCode::kWrongShape, "the padding is wider than the output",
                found + "; expected padding of at most " + std::to_string(extent),
                "use less padding");
  }
  return extent - padding;
}

}  // namespace

OperatorTypes GetTypesOfTransposedConvolution(
    const TransposedConvolutionDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferTransposedConvolution(
    const OperatorInputs& inputs, const TransposedConvolutionDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  const std::uint32_t rank = descriptor.spatial_rank + 2;
  inputs.RequireRank(0, "the input", rank, "[N, C, spatial...]");
  inputs.RequireRank(1, "the weights", rank, "[C, M / groups, kernel...]");
  const std::int64_t num_filters = CheckGroups(inputs, descriptor.groups);
  if (inputs.Size() == 3) {
    inputs.RequireRank(2, "the bias", 1, "[M]");
    inputs.RequireExtent(2, "the bias", 0, num_filters, "the number of filters");
  }

  TensorShape shape{inputs[0].shape[0], num_filters};
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const Window window{inputs[0].shape[axis + 2],   inputs[1].shape[axis + 2],
                        descriptor.strides[axis],    descriptor.dilations[axis],
                        descriptor.pads_begin[axis], descriptor.pads_end[axis]};
    shape.Append(GetOutputExtent(inputs, window, descriptor.output_padding[axis], axis));
  }
  return {TensorInfo(shape, inputs[0].data_type)};
}

}  // namespace backplane
