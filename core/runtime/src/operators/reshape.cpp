#include "operators/operators.hpp"
#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>

namespace backplane {

OperatorTypes GetTypesOfReshape(const ReshapeDescriptor& /*descriptor*/) {
  return {kAllTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferReshape(const OperatorInputs& inputs,
                                     const ReshapeDescriptor& descriptor) {
  if (descriptor.rank > kMaxRank) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the wanted rank is too high",
                "found rank " + std::to_string(descriptor.rank) + "; expected at most " +
                    std::to_string(kMaxRank),
                "join axes until the rank is at most " + std::to_string(kMaxRank));
  }
  if (inputs[0].quantization.IsPerAxis()) {
    inputs.Fail(DiagnosticCode::kWrongDataType, "the input is quantized along an axis",
                "found " + DescribeTensor(inputs[0]) + " with " +
                    std::to_string(inputs[0].quantization.scales.size()) +
                    " scales; expected one scale for the whole tensor",
                "requantize the tensor with one scale");
  }
  TensorInfo output = inputs[0];
  output.shape = TensorShape();
  for (std::uint32_t axis = 0; axis < descriptor.rank; ++axis) {
    output.shape.Append(descriptor.dims[axis]);
  }
  const bool is_complete = std::all_of(descriptor.dims, descriptor.dims + descriptor.rank,
                                       [](std::int64_t extent) { return extent >= 0; });
  if (!is_complete) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the wanted shape is not complete",
                "found " + DescribeShape(output.shape) + "; expected every extent to be 0 or more",
                "give every extent its value");
  }
  const auto wanted_size = ComputeSizeBytes(output.shape, output.data_type);
  if (!wanted_size || *wanted_size != *ComputeSizeBytes(inputs[0].shape, output.data_type)) {
    inputs.Fail(DiagnosticCode::kWrongShape, "the number of elements changes",
                "found " + DescribeTensor(inputs[0]) + " to be reshaped to " +
                    DescribeShape(output.shape) + "; expected " +
                    std::to_string(inputs[0].shape.GetNumElements()) + " elements",
                "correct the wanted shape");
  }
  return {output};
}

}  // namespace backplane
