#include "operators/operators.hpp"
#include "operators/spatial_blocks.hpp"
#include "operators/window.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

std::int64_t CountWindows(const OperatorInputs& inputs, const FoldWindowsDescriptor& descriptor,
                          std::uint32_t axis) {
  const Window window{descriptor.extents[axis],    descriptor.kernel[axis],
                      descriptor.strides[axis],    descriptor.dilations[axis],
                      descriptor.pads_begin[axis], descriptor.pads_end[axis]};
  if (window.input < 0) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "extents is out of range",
                "found " + std::to_string(window.input) + " at spatial axis " +
                    std::to_string(axis) + "; expected 0 or more",
                "correct extents");
  }
  const std::int64_t span = GetKernelSpan(inputs, window, axis);
  return (GetPaddedInput(inputs, window, span, axis) - span) / window.stride + 1;
}

std::int64_t CountAllWindows(const OperatorInputs& inputs,
                             const FoldWindowsDescriptor& descriptor) {
  std::int64_t count = 1;
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    if (!__builtin_mul_overflow(count, CountWindows(inputs, descriptor, axis), &count)) continue;
    inputs.Fail(DiagnosticCode::kTensorTooLarge, "there are too many windows",
                "found extents with more windows than 63 bits can count; expected as many as axis "
                "2 of the input has, " +
                    std::to_string(inputs[0].shape[2]),
                "correct extents, or the strides");
  }
  return count;
}

std::int64_t GetNumChannels(const OperatorInputs& inputs, const FoldWindowsDescriptor& descriptor) {
  const std::int64_t elements =
      GetBlockElements(inputs, descriptor.kernel, descriptor.spatial_rank);
  const std::int64_t extent = inputs[0].shape[1];
  if (extent % elements == 0) return extent / elements;
  inputs.Fail(DiagnosticCode::kWrongShape, "its windows are not whole",
              "found " + DescribeTensor(inputs[0]) + " as input 0, with extent " +
                  std::to_string(extent) + " at axis 1; expected a multiple of " +
                  std::to_string(elements) + ", the elements of a window",
              "correct the kernel or the shape of the input");
}

}  // namespace

OperatorTypes GetTypesOfFoldWindows(const FoldWindowsDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferFoldWindows(const OperatorInputs& inputs,
                                         const FoldWindowsDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  inputs.RequireRank(0, "the input", 3, "[N, C * kernel..., windows...]");
  const std::int64_t num_windows = CountAllWindows(inputs, descriptor);
  inputs.RequireExtent(0, "the input", 2, num_windows, "the number of whole windows");

  TensorShape shape{inputs[0].shape[0], GetNumChannels(inputs, descriptor)};
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    shape.Append(descriptor.extents[axis]);
  }
  return {TensorInfo(shape, inputs[0].data_type)};
}

}  // namespace backplane
