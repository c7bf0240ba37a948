#include "graph/joined_shape.hpp"
#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"

namespace backplane {

namespace {

void CheckDescriptor(const OperatorInputs& inputs, const OneHotDescriptor& descriptor) {
  const std::uint32_t rank = inputs[0].shape.rank;
  if (descriptor.axis > rank) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the axis does not exist",
                "found axis " + std::to_string(descriptor.axis) + "; expected at most " +
                    std::to_string(rank) + ", the rank of the indices",
                "count the axis from the outermost, which is 0");
  }
  if (descriptor.depth >= 0) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the depth is negative",
              "found " + std::to_string(descriptor.depth) + "; expected 0 or more",
              "correct the depth");
}

}  // namespace

std::vector<TensorInfo> InferOneHot(const OperatorInputs& inputs,
                                    const OneHotDescriptor& descriptor) {
  CheckDescriptor(inputs, descriptor);
  inputs.RequireRank(1, "the values", 1, "[off, on]");
  inputs.RequireExtent(1, "the values", 0, 2, "one for off and one for on");
  KeepScales(inputs, 1, [](std::uint32_t) { return false; });
  const TensorShape& indices = inputs[0].shape;
  const TensorShape depth{descriptor.depth};
  TensorInfo output(JoinAxes(inputs, {{indices, 0, descriptor.axis},
                                      {depth, 0, 1},
                                      {indices, descriptor.axis, indices.rank - descriptor.axis}}),
                    inputs[1].data_type);
  output.quantization = inputs[1].quantization;
  return {output};
}

}  // namespace backplane
