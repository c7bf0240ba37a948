#include "graph/operator_inputs.hpp"
#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"
#include "graph/spatial_axes.hpp"
#include "graph/window.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/api/descriptors.hpp>

#include <cstdint>

namespace backplane {
namespace {

// The product of `count` block sizes.
// Errors: kInvalidDescriptor for a block of 0; kTensorTooLarge.
std::int64_t GetBlockElements(const OperatorInputs& inputs, const std::uint32_t* blocks,
                              std::uint32_t count) {
  std::int64_t elements = 1;
  for (std::uint32_t axis = 0; axis < count; ++axis) {
    inputs.RequirePositive("the block size", blocks[axis]);
    if (!__builtin_mul_overflow(elements, std::int64_t{blocks[axis]}, &elements)) continue;
    inputs.Fail(DiagnosticCode::kTensorTooLarge, "its blocks are too large",
                "found a block of " + std::to_string(blocks[axis]) + " at spatial axis " +
                    std::to_string(axis) + "; expected a number of elements that fits 63 bits",
                "correct the block size");
  }
  return elements;
}

// An extent of input 0 divided by a number that must divide it.
// Errors: kWrongShape when it does not.
std::int64_t DivideExtent(const OperatorInputs& inputs, std::uint32_t axis, std::int64_t extent,
                          std::int64_t divisor) {
  if (extent % divisor == 0) return extent / divisor;
  inputs.Fail(DiagnosticCode::kWrongShape, "the blocks do not divide its input",
              "found extent " + std::to_string(extent) + " at axis " + std::to_string(axis) +
                  " for " + DescribeTensor(inputs[0]) + "; expected a multiple of " +
                  std::to_string(divisor),
              "correct the block size or the shape of the input");
}

// An extent of input 0 times a number.
// Errors: kTensorTooLarge.
std::int64_t MultiplyExtent(const OperatorInputs& inputs, std::uint32_t axis, std::int64_t factor) {
  const std::int64_t extent = inputs[0].shape[axis];
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(extent, factor, &result)) return result;
  inputs.Fail(DiagnosticCode::kTensorTooLarge, "the output is too large",
              "found " + std::to_string(factor) + " times extent " + std::to_string(extent) +
                  " at axis " + std::to_string(axis) + "; expected a product that fits 63 bits",
              "correct the block size");
}

std::int64_t GetPadded(const OperatorInputs& inputs, const SpaceToBatchDescriptor& descriptor,
                       std::uint32_t spatial_axis) {
  Window window;
  window.input = inputs[0].shape[spatial_axis + 2];
  window.pad_begin = descriptor.pads_begin[spatial_axis];
  window.pad_end = descriptor.pads_end[spatial_axis];
  return GetPaddedInput(inputs, window, 0, spatial_axis);
}

std::int64_t GetCropped(const OperatorInputs& inputs, const BatchToSpaceDescriptor& descriptor,
                        std::uint32_t spatial_axis) {
  const std::int64_t whole =
      MultiplyExtent(inputs, spatial_axis + 2, descriptor.block[spatial_axis]);
  const std::int64_t crops =
      std::int64_t{descriptor.crops_begin[spatial_axis]} + descriptor.crops_end[spatial_axis];
  if (crops <= whole) return whole - crops;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the crops take more than there is",
              "found crops " + std::to_string(descriptor.crops_begin[spatial_axis]) + " and " +
                  std::to_string(descriptor.crops_end[spatial_axis]) + " at spatial axis " +
                  std::to_string(spatial_axis) + "; expected a sum of at most " +
                  std::to_string(whole),
              "correct the crops");
}

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

std::vector<TensorInfo> InferSpaceToDepth(const OperatorInputs& inputs,
                                          const SpaceToDepthDescriptor& descriptor) {
  inputs.RequireKnown("order", descriptor.order,
                      {DepthOrder::kBlockFirst, DepthOrder::kChannelFirst},
                      "BlockFirst or ChannelFirst");
  const std::uint32_t spatial_rank = GetSpatialRank(inputs);
  const std::uint32_t block = descriptor.block_size;
  const std::uint32_t blocks[kMaxSpatialRank] = {block, block, block};

  TensorInfo output = inputs[0];
  output.shape[1] = MultiplyExtent(inputs, 1, GetBlockElements(inputs, blocks, spatial_rank));
  for (std::uint32_t axis = 2; axis < output.shape.rank; ++axis) {
    output.shape[axis] = DivideExtent(inputs, axis, inputs[0].shape[axis], block);
  }
  KeepScales(inputs, 0, [&](std::uint32_t axis) { return axis == 0 || block == 1; });
  return {output};
}

std::vector<TensorInfo> InferDepthToSpace(const OperatorInputs& inputs,
                                          const DepthToSpaceDescriptor& descriptor) {
  inputs.RequireKnown("order", descriptor.order,
                      {DepthOrder::kBlockFirst, DepthOrder::kChannelFirst},
                      "BlockFirst or ChannelFirst");
  const std::uint32_t spatial_rank = GetSpatialRank(inputs);
  const std::uint32_t block = descriptor.block_size;
  const std::uint32_t blocks[kMaxSpatialRank] = {block, block, block};

  TensorInfo output = inputs[0];
  output.shape[1] =
      DivideExtent(inputs, 1, inputs[0].shape[1], GetBlockElements(inputs, blocks, spatial_rank));
  for (std::uint32_t axis = 2; axis < output.shape.rank; ++axis) {
    output.shape[axis] = MultiplyExtent(inputs, axis, block);
  }
  KeepScales(inputs, 0, [&](std::uint32_t axis) { return axis == 0 || block == 1; });
  return {output};
}

std::vector<TensorInfo> InferSpaceToBatch(const OperatorInputs& inputs,
                                          const SpaceToBatchDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  inputs.RequireRank(0, "the input", descriptor.spatial_rank + 2, "[N, C, spatial...]");

  TensorInfo output = inputs[0];
  output.shape[0] = MultiplyExtent(
      inputs, 0, GetBlockElements(inputs, descriptor.block, descriptor.spatial_rank));
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    output.shape[axis + 2] =
        DivideExtent(inputs, axis + 2, GetPadded(inputs, descriptor, axis), descriptor.block[axis]);
  }
  KeepScales(inputs, 0, [](std::uint32_t axis) { return axis == 1; });
  return {output};
}

std::vector<TensorInfo> InferBatchToSpace(const OperatorInputs& inputs,
                                          const BatchToSpaceDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  inputs.RequireRank(0, "the input", descriptor.spatial_rank + 2, "[N, C, spatial...]");

  TensorInfo output = inputs[0];
  output.shape[0] =
      DivideExtent(inputs, 0, inputs[0].shape[0],
                   GetBlockElements(inputs, descriptor.block, descriptor.spatial_rank));
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    output.shape[axis + 2] = GetCropped(inputs, descriptor, axis);
  }
  KeepScales(inputs, 0, [](std::uint32_t axis) { return axis == 1; });
  return {output};
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
