#include "graph/operator_inputs.hpp"
#include "graph/operators.hpp"
#include "graph/window.hpp"
#include "graph/zero_points.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>
#include <string>

namespace backplane {
namespace {

void CheckGroups(const OperatorInputs& inputs, std::uint32_t groups) {
  inputs.RequirePositive("groups", groups);
  inputs.RequireGroupsOfChannels("groups", groups);
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

// The shape of the output of a convolution of input 0 with the weights, input 1.
// Errors: kWrongRank, kWrongShape, kInvalidDescriptor, kTensorTooLarge.
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

// The number of filters, M.
std::int64_t CheckGroupsOfTransposed(const OperatorInputs& inputs, std::uint32_t groups) {
  inputs.RequirePositive("groups", groups);
  inputs.RequireExtent(1, "the weights", 0, inputs[0].shape[1], "the channels of the input");
  inputs.RequireGroupsOfChannels("groups", groups);
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

void CheckZeroPoints(const OperatorInputs& inputs) {
  RequireTypesOfZeroPoints(inputs);
  const std::int64_t num_filters = inputs[1].shape[0];
  for (std::size_t input = 2; input < inputs.Size(); ++input) {
    const TensorShape& shape = inputs[input].shape;
    const bool has_one_element = shape.rank <= 1 && shape.GetNumElements() == 1;
    const bool is_of_filters = input == 3 && shape.rank == 1 && shape[0] == num_filters;
    if (has_one_element || is_of_filters) continue;
    inputs.Fail(
        DiagnosticCode::kWrongShape, "the zero point does not fit",
        "found " + DescribeTensor(inputs[input]) + " as input " + std::to_string(input) +
            "; expected shape [] or [1]" +
            (input == 3 ? ", or [" + std::to_string(num_filters) + "], one for each filter" : ""),
        "correct the shape of the zero point");
  }
}

}  // namespace

std::vector<TensorInfo> InferConvolution(const OperatorInputs& inputs,
                                         const ConvolutionDescriptor& descriptor) {
  const TensorShape shape = InferConvolutionShape(inputs, descriptor);
  if (inputs.Size() == 3) {
    inputs.RequireRank(2, "the bias", 1, "[M]");
    inputs.RequireExtent(2, "the bias", 0, inputs[1].shape[0], "the number of filters");
  }
  return {TensorInfo(shape, inputs[0].data_type)};
}

std::vector<TensorInfo> InferTransposedConvolution(
    const OperatorInputs& inputs, const TransposedConvolutionDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  const std::uint32_t rank = descriptor.spatial_rank + 2;
  inputs.RequireRank(0, "the input", rank, "[N, C, spatial...]");
  inputs.RequireRank(1, "the weights", rank, "[C, M / groups, kernel...]");
  const std::int64_t num_filters = CheckGroupsOfTransposed(inputs, descriptor.groups);
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

std::vector<TensorInfo> InferIntegerConvolution(const OperatorInputs& inputs,
                                                const ConvolutionDescriptor& descriptor) {
  const TensorShape shape = InferConvolutionShape(inputs, descriptor);
  CheckZeroPoints(inputs);
  return {TensorInfo(shape, DataType::kInt32)};
}

}  // namespace backplane
