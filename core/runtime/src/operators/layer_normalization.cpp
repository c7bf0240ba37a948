#include "operators/normalization.hpp"
#include "operators/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

void RequireNormalizedShape(const OperatorInputs& inputs, std::size_t input, const char* role,
                            std::uint32_t axis) {
  TensorInfo expected(TensorShape{}, inputs[input].data_type);
  for (std::uint32_t i = axis; i < inputs[0].shape.rank; ++i) {
    expected.shape.Append(inputs[0].shape[i]);
  }
  if (inputs[input].shape == expected.shape) return;
  inputs.Fail(DiagnosticCode::kWrongShape, std::string(role) + " does not fit",
              "found " + DescribeTensor(inputs[input]) + " as input " + std::to_string(input) +
                  "; expected " + DescribeTensor(expected) + ", the extents of input 0 from axis " +
                  std::to_string(axis) + " on",
              "correct the shape of input " + std::to_string(input) + ", or axis");
}

void RequireNumOutputs(const OperatorInputs& inputs, std::uint32_t num_outputs) {
  if (num_outputs >= 1 && num_outputs <= 3) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "num_outputs is out of range",
              "found " + std::to_string(num_outputs) + "; expected 1 to 3",
              "set num_outputs to 1, to 2 with the mean, or to 3 with the inverse deviation too");
}

}  // namespace

OperatorTypes GetTypesOfLayerNormalization(const LayerNormalizationDescriptor& /*descriptor*/) {
  OperatorTypes types = {kFloatTypes, QuantizedTensors::kRequantized};
  types.own_outputs = {{1, OutputRule::kFixed, DataType::kFloat32},
                       {2, OutputRule::kFixed, DataType::kFloat32}};
  return types;
}

std::vector<TensorInfo> InferLayerNormalization(const OperatorInputs& inputs,
                                                const LayerNormalizationDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  RequireNormalizedShape(inputs, 1, "the scale", descriptor.axis);
  if (inputs.Size() == 3) RequireNormalizedShape(inputs, 2, "the bias", descriptor.axis);
  RequireEpsilon(inputs, descriptor.epsilon);
  RequireNumOutputs(inputs, descriptor.num_outputs);

  TensorShape statistics = inputs[0].shape;
  for (std::uint32_t i = descriptor.axis; i < statistics.rank; ++i) statistics[i] = 1;
  std::vector<TensorInfo> outputs(descriptor.num_outputs,
                                  TensorInfo(statistics, DataType::kFloat32));
  outputs[0] = inputs[0];
  return outputs;
}

}  // namespace backplane
