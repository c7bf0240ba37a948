#include "operators/operator_types.hpp"

#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

bool IsQuantized(const OperatorInputs& inputs) {
  return inputs[0].quantization.IsQuantized();
}

std::string DescribeAccepted(const OperatorTypes& types) {
  std::string text = DescribeTypes(types.accepted);
  if (types.quantized == QuantizedTensors::kRefused) return text + "; not quantized";
  return text + ", or quantized " + DescribeTypes(kQuantizableTypes);
}

void CheckInputType(const OperatorInputs& inputs, std::size_t input, const OperatorTypes& types) {
  const TensorInfo& info = inputs[input];
  const bool is_accepted = info.quantization.IsQuantized()
                               ? types.quantized != QuantizedTensors::kRefused
                               : types.accepted.Has(info.data_type);
  if (is_accepted) return;
  inputs.Fail(DiagnosticCode::kWrongDataType,
              "input " + std::to_string(input) + " has the wrong data type",
              "found " + DescribeTensor(info) + "; expected " + DescribeAccepted(types),
              "convert the tensor to one of these");
}

void RequireAllOrNoneQuantized(const OperatorInputs& inputs) {
  for (std::size_t input = 1; input < inputs.Size(); ++input) {
    if (inputs[input].quantization.IsQuantized() == IsQuantized(inputs)) continue;
    inputs.Fail(DiagnosticCode::kWrongDataType, "only some of its inputs are quantized",
                "found " + DescribeTensor(inputs[0]) + " as input 0 and " +
                    DescribeTensor(inputs[input]) + " as input " + std::to_string(input) +
                    "; expected all of them or none to be quantized",
                "give each input its scales, or convert all of them to float32");
  }
}

void RequireOneQuantization(const OperatorInputs& inputs) {
  for (std::size_t input = 1; input < inputs.Size(); ++input) {
    if (inputs[input].quantization == inputs[0].quantization) continue;
    inputs.Fail(DiagnosticCode::kWrongDataType,
                "input " + std::to_string(input) + " is quantized in another way",
                "found " + DescribeTensor(inputs[input]) + "; expected the quantization of input 0",
                "requantize the tensor, or convert all inputs to float32");
  }
}

/// What the inputs alone say of an output.
OutputType GetTypeOfInputs(const OperatorInputs& inputs, const OperatorTypes& types) {
  OutputType type;
  type.data_type = inputs[0].data_type;
  if (types.quantized != QuantizedTensors::kRequantized) type.quantization = inputs[0].quantization;
  return type;
}

std::string DescribeOutputType(const OutputType& type) {
  const std::string name = GetDataTypeName(type.data_type);
  return type.quantization.IsQuantized() ? "quantized " + name : name;
}

void CheckStatedType(const OperatorInputs& inputs, const OperatorTypes& types,
                     const OutputType& stated, const OutputType& of_inputs) {
  const bool may_differ = IsQuantized(inputs) && types.quantized != QuantizedTensors::kMoved;
  if (may_differ ||
      (stated.data_type == of_inputs.data_type && stated.quantization == of_inputs.quantization)) {
    return;
  }
  inputs.Fail(DiagnosticCode::kWrongDataType, "the type stated for the output does not fit",
              "found " + DescribeOutputType(stated) + " stated; expected " +
                  DescribeOutputType(of_inputs) + " as input 0 has it, since the layer " +
                  (IsQuantized(inputs) ? "only moves stored values" : "has no quantized inputs"),
              "state no type for this output");
}

void RequireStatedQuantization(const OperatorInputs& inputs, const OutputType& type) {
  if (!IsQuantized(inputs) || type.quantization.IsQuantized()) return;
  inputs.Fail(DiagnosticCode::kWrongDataType, "the quantization of its output is not known",
              "found " + DescribeTensor(inputs[0]) +
                  " as input 0 and no scale stated for the output; expected one, since it does not "
                  "follow from the inputs",
              "pass an OutputType with scales to AddOperatorLayer or AddLayer, or convert the "
              "inputs to float32");
}

}  // namespace

void CheckInputTypes(const OperatorInputs& inputs, const OperatorTypes& types) {
  for (std::size_t input = 0; input < inputs.Size(); ++input) CheckInputType(inputs, input, types);
  RequireAllOrNoneQuantized(inputs);
  const bool moves_values = types.quantized == QuantizedTensors::kMoved;
  if (!IsQuantized(inputs) || moves_values) inputs.RequireSameDataTypes();
  if (IsQuantized(inputs) && moves_values) RequireOneQuantization(inputs);
}

void SetOutputTypes(const OperatorInputs& inputs, const OperatorTypes& types,
                    const std::vector<OutputType>& stated, std::vector<TensorInfo>& outputs) {
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    const OutputType of_inputs = GetTypeOfInputs(inputs, types);
    OutputType type = of_inputs;
    if (output < stated.size()) {
      if (stated[output].data_type != DataType::kUndefined) {
        type.data_type = stated[output].data_type;
      }
      if (stated[output].quantization.IsQuantized()) {
        type.quantization = stated[output].quantization;
      }
      CheckStatedType(inputs, types, type, of_inputs);
    }
    RequireStatedQuantization(inputs, type);
    outputs[output].data_type = type.data_type;
    outputs[output].quantization = type.quantization;
  }
}

}  // namespace backplane
