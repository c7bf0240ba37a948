#include "operators/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

// The parts keep their stored values, so they must mean the same.
void CheckQuantization(const OperatorInputs& inputs, std::uint32_t axis) {
  const QuantizationInfo& first = inputs[0].quantization;
  for (std::size_t input = 0; input < inputs.Size(); ++input) {
    const bool is_along_axis = first.IsPerAxis() && first.axis == static_cast<std::int32_t>(axis);
    if (inputs[input].quantization == first && !is_along_axis) continue;
    inputs.Fail(DiagnosticCode::kWrongDataType,
                "input " + std::to_string(input) + " is quantized in another way",
                "found " + DescribeTensor(inputs[input]) + "; expected the quantization of input " +
                    "0, not along the axis that is joined",
                "requantize the tensor, or convert all inputs to float32");
  }
}

}  // namespace

std::vector<TensorInfo> InferConcat(const OperatorInputs& inputs,
                                    const ConcatDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "input 0", 1);
  inputs.RequireAxis(descriptor.axis);
  inputs.RequireSameDataTypes();
  CheckQuantization(inputs, descriptor.axis);

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
