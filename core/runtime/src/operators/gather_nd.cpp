#include "operators/index_source.hpp"
#include "operators/joined_shape.hpp"
#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>

namespace backplane {

namespace {

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

OperatorTypes GetTypesOfGatherNd(const GatherNdDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved, {{1, kIndexTypes}}};
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

}  // namespace backplane
