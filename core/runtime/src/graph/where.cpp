#include "graph/broadcast.hpp"
#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

// The scales of inputs that are repeated, or gain axes in front, would be those of another axis.
void RequireKeptScales(const OperatorInputs& inputs, const TensorShape& output) {
  for (std::size_t input = 1; input < inputs.Size(); ++input) {
    const TensorInfo& info = inputs[input];
    if (!info.quantization.IsPerAxis()) continue;
    const auto axis = static_cast<std::uint32_t>(info.quantization.axis);
    if (info.shape.rank == output.rank && info.shape[axis] == output[axis]) continue;
    inputs.Fail(DiagnosticCode::kWrongDataType,
                "input " + std::to_string(input) + " is repeated along the axis of its scales",
                "found " + DescribeTensor(info) + " quantized along axis " + std::to_string(axis) +
                    ", and the output " + DescribeShape(output) +
                    "; expected one scale, or the same rank and the same extent along that axis",
                "requantize the input with one scale");
  }
}

}  // namespace

std::vector<TensorInfo> InferWhere(const OperatorInputs& inputs,
                                   const NoDescriptor& /*descriptor*/) {
  const TensorShape shape = RequireBroadcast(inputs);
  RequireKeptScales(inputs, shape);
  return {TensorInfo(shape, inputs[1].data_type)};
}

}  // namespace backplane
