#include "graph/joined_shape.hpp"
#include "graph/operator_inputs.hpp"
#include "graph/operator_types.hpp"
#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/api/descriptors.hpp>

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace {

// kWrongShape when input 1 has indices, but input 0 nothing along the axis that they could mean.
void RequireElementsToIndex(const OperatorInputs& inputs, std::uint32_t axis) {
  const TensorShape& indices = inputs[1].shape;
  bool has_indices = true;
  for (std::uint32_t i = 0; i < indices.rank; ++i) has_indices = has_indices && indices[i] != 0;
  if (inputs[0].shape[axis] != 0 || !has_indices) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "there is nothing that its indices could mean",
              "found extent 0 at axis " + std::to_string(axis) + " of " +
                  DescribeTensor(inputs[0]) + " and indices " + DescribeTensor(inputs[1]) +
                  "; expected an extent of 1 or more",
              "correct the shape of input 0");
}

// kWrongRank and kWrongShape unless input 1 has the rank of input 0 and, along every axis but one,
// extents that are not greater.
void RequireIndicesInside(const OperatorInputs& inputs, std::uint32_t axis) {
  const TensorShape& values = inputs[0].shape;
  const TensorShape& indices = inputs[1].shape;
  inputs.RequireRank(1, "the indices", values.rank, "the rank of input 0");
  for (std::uint32_t i = 0; i < values.rank; ++i) {
    if (i == axis || indices[i] <= values[i]) continue;
    inputs.Fail(DiagnosticCode::kWrongShape, "its indices reach beyond the input",
                "found extent " + std::to_string(indices[i]) + " at axis " + std::to_string(i) +
                    " of the indices; expected at most " + std::to_string(values[i]) + " as " +
                    DescribeTensor(inputs[0]) + " has it",
                "correct the shape of input 1");
  }
}

// The extent of the innermost axis of input 1, whose rank is 1 or more: how many indices a
// position in input 0 has. Errors: kWrongShape when it is more than `most`.
std::uint32_t RequirePositionLength(const OperatorInputs& inputs, std::uint32_t most) {
  const TensorShape& indices = inputs[1].shape;
  const std::int64_t length = indices[indices.rank - 1];
  if (length <= most) return static_cast<std::uint32_t>(length);
  inputs.Fail(DiagnosticCode::kWrongShape, "its positions have too many indices",
              "found positions of " + std::to_string(length) + " indices in " +
                  DescribeTensor(inputs[1]) + "; expected at most " + std::to_string(most) +
                  ", the axes of " + DescribeTensor(inputs[0]) + " that they can mean",
              "correct the innermost axis of the indices");
}

// What ScatterElements and ScatterNd take: everything where they replace elements, numbers where
// they calculate with them.
OperatorTypes GetTypesOfScatter(ScatterReduction reduction) {
  if (reduction == ScatterReduction::kNone) {
    return {kStoredTypes, QuantizedTensors::kMoved, {{1, kIndexTypes}}};
  }
  return {kNumberTypes, QuantizedTensors::kRequantized, {{1, kIndexTypes}}};
}

// kInvalidDescriptor for a reduction that is not known.
void CheckReduction(const OperatorInputs& inputs, ScatterReduction reduction) {
  inputs.RequireKnown("reduction", reduction,
                      {ScatterReduction::kNone, ScatterReduction::kAdd, ScatterReduction::kMul,
                       ScatterReduction::kMax, ScatterReduction::kMin},
                      "None, Add, Mul, Max or Min");
}

// kWrongRank and kWrongShape unless input 2 has this shape.
void RequireUpdates(const OperatorInputs& inputs, const TensorShape& shape) {
  if (inputs[2].shape == shape) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "its updates do not fit its indices",
              "found " + DescribeTensor(inputs[2]) + " as input 2; expected the shape " +
                  DescribeShape(shape) + ", which follows from " + DescribeTensor(inputs[0]) +
                  " and the indices " + DescribeTensor(inputs[1]),
              "correct the shape of input 2");
}

void CheckBatch(const OperatorInputs& inputs, std::uint32_t batch_dims) {
  inputs.RequireRankAtLeast(1, "the indices", 1);
  const std::uint32_t most = std::min(inputs[0].shape.rank, inputs[1].shape.rank - 1);
  if (batch_dims > most) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "batch_dims is out of range",
                "found " + std::to_string(batch_dims) + " with values " +
                    DescribeTensor(inputs[0]) + " and indices " + DescribeTensor(inputs[1]) +
                    "; expected at most " + std::to_string(most),
                "correct batch_dims");
  }
  for (std::uint32_t axis = 0; axis < batch_dims; ++axis) {
    inputs.RequireExtent(1, "the indices", axis, inputs[0].shape[axis],
                         "the extent of input 0, since the axis is one of the batch");
  }
}

}  // namespace

std::vector<TensorInfo> InferGather(const OperatorInputs& inputs,
                                    const GatherDescriptor& descriptor) {
  const TensorShape& values = inputs[0].shape;
  const TensorShape& indices = inputs[1].shape;
  inputs.RequireAxisOfInput(descriptor.axis);
  RequireElementsToIndex(inputs, descriptor.axis);
  const std::uint32_t behind = descriptor.axis + 1;
  TensorInfo output(JoinAxes(inputs, {{values, 0, descriptor.axis},
                                      {indices, 0, indices.rank},
                                      {values, behind, values.rank - behind}}),
                    inputs[0].data_type);
  MoveScales(inputs, 0, output, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis < descriptor.axis) return axis;
    if (axis > descriptor.axis) return axis + indices.rank - 1;
    return std::nullopt;
  });
  return {output};
}

std::vector<TensorInfo> InferGatherElements(const OperatorInputs& inputs,
                                            const GatherElementsDescriptor& descriptor) {
  const TensorShape& indices = inputs[1].shape;
  inputs.RequireAxisOfInput(descriptor.axis);
  RequireIndicesInside(inputs, descriptor.axis);
  RequireElementsToIndex(inputs, descriptor.axis);
  KeepScales(inputs, 0, [&](std::uint32_t axis) {
    return axis != descriptor.axis && indices[axis] == inputs[0].shape[axis];
  });
  return {TensorInfo(indices, inputs[0].data_type)};
}

std::vector<TensorInfo> InferGatherNd(const OperatorInputs& inputs,
                                      const GatherNdDescriptor& descriptor) {
  CheckBatch(inputs, descriptor.batch_dims);
  const TensorShape& values = inputs[0].shape;
  const TensorShape& indices = inputs[1].shape;
  const std::uint32_t length = RequirePositionLength(inputs, values.rank - descriptor.batch_dims);
  const std::uint32_t behind = descriptor.batch_dims + length;
  for (std::uint32_t axis = descriptor.batch_dims; axis < behind; ++axis) {
    RequireElementsToIndex(inputs, axis);
  }
  TensorInfo output(
      JoinAxes(inputs, {{indices, 0, indices.rank - 1}, {values, behind, values.rank - behind}}),
      inputs[0].data_type);
  MoveScales(inputs, 0, output, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis < descriptor.batch_dims) return axis;
    if (axis >= behind) return axis - behind + indices.rank - 1;
    return std::nullopt;
  });
  return {output};
}

OperatorTypes GetTypesOfScatterElements(const ScatterElementsDescriptor& descriptor) {
  return GetTypesOfScatter(descriptor.reduction);
}

std::vector<TensorInfo> InferScatterElements(const OperatorInputs& inputs,
                                             const ScatterElementsDescriptor& descriptor) {
  CheckReduction(inputs, descriptor.reduction);
  inputs.RequireAxisOfInput(descriptor.axis);
  RequireIndicesInside(inputs, descriptor.axis);
  RequireUpdates(inputs, inputs[1].shape);
  if (descriptor.reduction == ScatterReduction::kNone) {
    KeepScales(inputs, 0, [&](std::uint32_t axis) { return axis != descriptor.axis; });
  }
  return {inputs[0]};
}

OperatorTypes GetTypesOfScatterNd(const ScatterNdDescriptor& descriptor) {
  return GetTypesOfScatter(descriptor.reduction);
}

std::vector<TensorInfo> InferScatterNd(const OperatorInputs& inputs,
                                       const ScatterNdDescriptor& descriptor) {
  CheckReduction(inputs, descriptor.reduction);
  inputs.RequireRankAtLeast(1, "the indices", 1);
  const TensorShape& values = inputs[0].shape;
  const TensorShape& indices = inputs[1].shape;
  const std::uint32_t length = RequirePositionLength(inputs, values.rank);
  RequireUpdates(inputs, JoinAxes(inputs, {{indices, 0, indices.rank - 1},
                                           {values, length, values.rank - length}}));
  if (descriptor.reduction == ScatterReduction::kNone) {
    // The updates have the scales along the same axis as input 0.
    KeepScales(inputs, 0,
               [&](std::uint32_t axis) { return axis >= length && indices.rank - 1 == length; });
  }
  return {inputs[0]};
}

}  // namespace backplane
