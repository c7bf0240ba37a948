#include "operators/known_number.hpp"
#include "operators/operators.hpp"

namespace backplane {

namespace {

void RequireFloat(const OperatorInputs& inputs, DataType type) {
  if (kFloatTypes.Has(type)) return;
  inputs.Fail(
      DiagnosticCode::kInvalidDescriptor, "data_type is not a floating-point type",
      "found " + std::string(GetDataTypeName(type)) + "; expected " + DescribeTypes(kFloatTypes),
      "set data_type to one of these");
}

}  // namespace

OperatorTypes GetTypesOfWindowFunction(const WindowFunctionDescriptor& descriptor) {
  return {
      kFloatTypes, QuantizedTensors::kRefused, {}, {{0, OutputRule::kFixed, descriptor.data_type}}};
}

std::vector<TensorInfo> InferWindowFunction(const OperatorInputs& inputs,
                                            const WindowFunctionDescriptor& descriptor) {
  RequireKnown(inputs, "function", descriptor.function,
               {WindowFunction::kHann, WindowFunction::kHamming, WindowFunction::kBlackman},
               "Hann, Hamming or Blackman");
  inputs.RequireFlag("is_periodic", descriptor.is_periodic);
  RequireFloat(inputs, descriptor.data_type);
  if (descriptor.size < 0) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "size is negative",
                "found " + std::to_string(descriptor.size) + "; expected 0 or more",
                "set size to the number of elements");
  }
  return {TensorInfo({descriptor.size}, descriptor.data_type)};
}

}  // namespace backplane
