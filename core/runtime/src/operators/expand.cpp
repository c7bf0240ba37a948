#include "operators/broadcast.hpp"
#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"
#include "operators/wanted_shape.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

OperatorTypes GetTypesOfExpand(const ExpandDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferExpand(const OperatorInputs& inputs,
                                    const ExpandDescriptor& descriptor) {
  const TensorShape& shape = inputs[0].shape;
  TensorInfo output(GetWantedShape(inputs, descriptor.rank, descriptor.dims), inputs[0].data_type);
  const auto broadcast = BroadcastShapes(shape, output.shape);
  if (!broadcast || *broadcast != output.shape) {
    inputs.Fail(DiagnosticCode::kWrongShape, "its input does not broadcast to the wanted shape",
                "found " + DescribeTensor(inputs[0]) + " to be expanded to " +
                    DescribeShape(output.shape) +
                    "; expected extents that are equal to those wanted, or 1, or missing, counted "
                    "from the innermost axis",
                "correct the wanted shape, or reshape the input");
  }
  // An axis with scales has more than one element, and keeps them.
  MoveScales(inputs, 0, output, [&](std::uint32_t axis) {
    return std::optional<std::uint32_t>(axis + output.shape.rank - shape.rank);
  });
  return {output};
}

}  // namespace backplane
