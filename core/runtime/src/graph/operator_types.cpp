#include "graph/operator_types.hpp"

#include "tensors/tensor_text.hpp"

#include <utility>

namespace backplane {

namespace {

/// An operator's inputs, told apart into values and those with types of their own.
class TypedInputs {
 public:
  TypedInputs(const OperatorInputs& inputs, const OperatorTypes& types)
      : inputs_(inputs), types_(types) {
    while (first_value_ < inputs.Size() && FindOwnType(first_value_) != nullptr) ++first_value_;
  }

  /// Null: the input is a value.
  const OwnInputType* FindOwnType(std::size_t input) const {
    for (const OwnInputType& own : types_.own_inputs) {
      if (own.input == input) return &own;
    }
    return nullptr;
  }

  bool HasValues() const { return first_value_ < inputs_.Size(); }
  std::size_t GetFirstValueIndex() const { return first_value_; }
  /// Only when there are values.
  const TensorInfo& GetFirstValue() const { return inputs_[first_value_]; }
  bool IsQuantized() const { return HasValues() && GetFirstValue().quantization.IsQuantized(); }

  std::string NameFirstValue() const { return "input " + std::to_string(first_value_); }

  template <typename Function>
  void ForEachValue(const Function& function) const {
    for (std::size_t input = first_value_; input < inputs_.Size(); ++input) {
      if (FindOwnType(input) == nullptr) function(input);
    }
  }

 private:
  const OperatorInputs& inputs_;
  const OperatorTypes& types_;
  std::size_t first_value_ = 0;
};

std::string DescribeAccepted(const OperatorTypes& types) {
  std::string text = DescribeTypes(types.accepted);
  if (types.quantized == QuantizedTensors::kRefused) return text + "; not quantized";
  return text + (text.empty() ? "" : ", or ") + "quantized " + DescribeTypes(kQuantizableTypes);
}

void FailInputType(const OperatorInputs& inputs, std::size_t input, const std::string& expected) {
  inputs.Fail(DiagnosticCode::kWrongDataType,
              "input " + std::to_string(input) + " has the wrong data type",
              "found " + DescribeTensor(inputs[input]) + "; expected " + expected,
              "convert the tensor to one of these");
}

void CheckOwnType(const OperatorInputs& inputs, const OwnInputType& own) {
  if (own.input >= inputs.Size()) return;
  const TensorInfo& info = inputs[own.input];
  if (own.accepted.Has(info.data_type) && !info.quantization.IsQuantized()) return;
  FailInputType(inputs, own.input, DescribeTypes(own.accepted) + "; not quantized");
}

void CheckValueType(const OperatorInputs& inputs, std::size_t input, const OperatorTypes& types) {
  const TensorInfo& info = inputs[input];
  const bool is_accepted = info.quantization.IsQuantized()
                               ? types.quantized != QuantizedTensors::kRefused
                               : types.accepted.Has(info.data_type);
  if (!is_accepted) FailInputType(inputs, input, DescribeAccepted(types));
}

void RequireAllOrNoneQuantized(const OperatorInputs& inputs, const TypedInputs& typed) {
  typed.ForEachValue([&](std::size_t input) {
    if (inputs[input].quantization.IsQuantized() == typed.IsQuantized()) return;
    inputs.Fail(DiagnosticCode::kWrongDataType, "only some of its inputs are quantized",
                "found " + DescribeTensor(typed.GetFirstValue()) + " as " + typed.NameFirstValue() +
                    " and " + DescribeTensor(inputs[input]) + " as input " + std::to_string(input) +
                    "; expected all of them or none to be quantized",
                "give each input its scales, or convert all of them to float32");
  });
}

void RequireOneDataType(const OperatorInputs& inputs, const TypedInputs& typed) {
  typed.ForEachValue(
      [&](std::size_t input) { inputs.RequireDataTypeOf(typed.GetFirstValueIndex(), input); });
}

void RequireOneQuantization(const OperatorInputs& inputs, const TypedInputs& typed) {
  typed.ForEachValue([&](std::size_t input) {
    if (inputs[input].quantization == typed.GetFirstValue().quantization) return;
    inputs.Fail(DiagnosticCode::kWrongDataType,
                "input " + std::to_string(input) + " is quantized in another way",
                "found " + DescribeTensor(inputs[input]) + "; expected the quantization of " +
                    typed.NameFirstValue(),
                "requantize the tensor, or convert all inputs to float32");
  });
}

/// What the inputs alone say of an output that is a value.
OutputType GetTypeOfValues(const TypedInputs& typed, const OperatorTypes& types) {
  OutputType type;
  if (!typed.HasValues()) return type;
  type.data_type = typed.GetFirstValue().data_type;
  if (types.quantized != QuantizedTensors::kRequantized) {
    type.quantization = typed.GetFirstValue().quantization;
  }
  return type;
}

std::string DescribeOutputType(const OutputType& type) {
  const std::string name = GetDataTypeName(type.data_type);
  return type.quantization.IsQuantized() ? "quantized " + name : name;
}

std::string DescribeReason(const TypedInputs& typed) {
  return typed.NameFirstValue() + " has it, since the layer " +
         (typed.IsQuantized() ? "only moves stored values" : "has no quantized inputs");
}

void CheckStatedType(const OperatorInputs& inputs, const OutputType& stated,
                     const OutputType& expected, const std::string& reason) {
  if (stated.data_type == expected.data_type && stated.quantization == expected.quantization) {
    return;
  }
  inputs.Fail(DiagnosticCode::kWrongDataType, "the type stated for the output does not fit",
              "found " + DescribeOutputType(stated) + " stated; expected " +
                  DescribeOutputType(expected) + " as " + reason,
              "state no type for this output");
}

void RequireStatedQuantization(const OperatorInputs& inputs, const OutputType& type) {
  if (type.quantization.IsQuantized()) return;
  inputs.Fail(DiagnosticCode::kWrongDataType, "the quantization of its output is not known",
              "found " + DescribeTensor(inputs[0]) +
                  " as input 0 and no scale stated for the output; expected one, since it does not "
                  "follow from the inputs",
              "pass an OutputType with scales to AddOperatorLayer or AddLayer, or convert the "
              "inputs to float32");
}

void RequireQuantizable(const OperatorInputs& inputs, const OutputType& type) {
  if (!type.quantization.IsQuantized() || kQuantizableTypes.Has(type.data_type)) return;
  inputs.Fail(DiagnosticCode::kWrongDataType, "its output cannot be quantized",
              "found " + DescribeOutputType(type) + " stated; expected quantized " +
                  DescribeTypes(kQuantizableTypes),
              "state one of these data types");
}

/// What was stated, over what is known already.
OutputType Merge(OutputType type, const std::vector<OutputType>& stated, std::size_t output) {
  if (output >= stated.size()) return type;
  if (stated[output].data_type != DataType::kUndefined) type.data_type = stated[output].data_type;
  if (stated[output].quantization.IsQuantized()) type.quantization = stated[output].quantization;
  return type;
}

OutputType GetOwnType(const OperatorInputs& inputs, const TypedInputs& typed,
                      const OwnOutputType& own, const std::vector<OutputType>& stated) {
  if (own.rule == OutputRule::kFixed) {
    OutputType fixed;
    fixed.data_type = own.data_type;
    CheckStatedType(inputs, Merge(fixed, stated, own.output), fixed, "the operator gives it");
    return fixed;
  }
  OutputType plain;
  if (own.rule == OutputRule::kRestated) plain.data_type = typed.GetFirstValue().data_type;
  const OutputType type = Merge(plain, stated, own.output);
  if (own.rule == OutputRule::kStatedQuantized) {
    RequireStatedQuantization(inputs, type);
  } else if (type.data_type != plain.data_type) {
    CheckStatedType(inputs, type, plain, typed.NameFirstValue() + " has it");
  }
  RequireQuantizable(inputs, type);
  return type;
}

OutputType GetValueType(const OperatorInputs& inputs, const TypedInputs& typed,
                        const OperatorTypes& types, const std::vector<OutputType>& stated,
                        std::size_t output) {
  const OutputType of_values = GetTypeOfValues(typed, types);
  const OutputType type = Merge(of_values, stated, output);
  const bool may_differ = typed.IsQuantized() && types.quantized != QuantizedTensors::kMoved;
  if (!may_differ) CheckStatedType(inputs, type, of_values, DescribeReason(typed));
  if (typed.IsQuantized()) RequireStatedQuantization(inputs, type);
  return type;
}

OutputType GetType(const OperatorInputs& inputs, const TypedInputs& typed,
                   const OperatorTypes& types, const std::vector<OutputType>& stated,
                   std::size_t output) {
  for (const OwnOutputType& own : types.own_outputs) {
    if (own.output == output) return GetOwnType(inputs, typed, own, stated);
  }
  return GetValueType(inputs, typed, types, stated, output);
}

}  // namespace

void CheckInputTypes(const OperatorInputs& inputs, const OperatorTypes& types) {
  const TypedInputs typed(inputs, types);
  for (const OwnInputType& own : types.own_inputs) CheckOwnType(inputs, own);
  typed.ForEachValue([&](std::size_t input) { CheckValueType(inputs, input, types); });
  RequireAllOrNoneQuantized(inputs, typed);
  const bool moves_values = types.quantized == QuantizedTensors::kMoved;
  if (!typed.IsQuantized() || moves_values) RequireOneDataType(inputs, typed);
  if (typed.IsQuantized() && moves_values) RequireOneQuantization(inputs, typed);
}

void SetOutputTypes(const OperatorInputs& inputs, const OperatorTypes& types,
                    const std::vector<OutputType>& stated, std::vector<TensorInfo>& outputs) {
  const TypedInputs typed(inputs, types);
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    OutputType type = GetType(inputs, typed, types, stated, output);
    // Moved, so that no memory stays for scales that are gone.
    const QuantizationInfo inferred = std::move(outputs[output].quantization);
    outputs[output].data_type = type.data_type;
    outputs[output].quantization = std::move(type.quantization);
    // Scales that are those of an input lie along the axis to which the values have moved.
    const bool is_stated = output < stated.size() && stated[output].quantization.IsQuantized();
    const bool is_inferred = types.quantized == QuantizedTensors::kMoved ||
                             (types.quantized == QuantizedTensors::kInRange && !is_stated);
    if (is_inferred && inferred.IsPerAxis()) {
      outputs[output].quantization.axis = inferred.axis;
    }
  }
}

}  // namespace backplane
