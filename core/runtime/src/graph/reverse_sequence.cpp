#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"

namespace backplane {

std::vector<TensorInfo> InferReverseSequence(const OperatorInputs& inputs,
                                             const ReverseSequenceDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 2);
  inputs.RequireAxis(descriptor.batch_axis);
  inputs.RequireAxis(descriptor.time_axis);
  if (descriptor.batch_axis == descriptor.time_axis) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "batch and time are the same axis",
                "found batch_axis and time_axis " + std::to_string(descriptor.time_axis) +
                    "; expected two different axes",
                "correct one of them");
  }
  inputs.RequireRank(1, "the lengths", 1, "[batch]");
  inputs.RequireExtent(1, "the lengths", 0, inputs[0].shape[descriptor.batch_axis],
                       "the extent of the batch axis of input 0");
  KeepScales(inputs, 0, [&](std::uint32_t axis) { return axis != descriptor.time_axis; });
  return {inputs[0]};
}

}  // namespace backplane
