#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

std::vector<TensorInfo> InferConcat(const OperatorInputs& inputs,
                                    const ConcatDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "input 0", 1);
  inputs.RequireAxis(descriptor.axis);
  // Joined along it, the scales of one input would have to hold for the next.
  RefuseScalesAlong(inputs, descriptor.axis, "its inputs are quantized along the axis joined",
                    "requantize the inputs with one scale");

  TensorInfo output = inputs[0];
  for (std::size_t input = 1; input < inputs.Size(); ++input) {
    inputs.RequireRank(input, "an input", output.shape.rank, "the rank of input 0");
    for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
      if (axis == descriptor.axis) continue;
      inputs.RequireExtent(input, "an input", axis, inputs[0].shape[axis], "the extent of input 0");
    }
    std::int64_t& extent = output.shape[descriptor.axis];
    if (__builtin_add_overflow(extent, inputs[input].shape[descriptor.axis], &extent)) {
      inputs.Fail(DiagnosticCode::kTensorTooLarge, "the output is too large",
                  "found a sum of extents beyond 63 bits at axis " +
                      std::to_string(descriptor.axis) + "; expected one that fits 63 bits",
                  "check the extents of the inputs");
    }
  }
  return {output};
}

}  // namespace backplane
