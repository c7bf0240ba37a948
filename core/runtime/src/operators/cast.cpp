#include "operators/known_number.hpp"
#include "operators/operators.hpp"

namespace backplane {
namespace {

void CheckNarrowing(const OperatorInputs& inputs, const CastDescriptor& descriptor) {
  RequireKnown(inputs, "overflow", descriptor.overflow,
               {NarrowOverflow::kSaturate, NarrowOverflow::kSpecial}, "Saturate or Special");
  RequireKnown(inputs, "scale_rounding", descriptor.scale_rounding,
               {ScaleRounding::kUp, ScaleRounding::kDown, ScaleRounding::kNearest},
               "Up, Down or Nearest");
}

}  // namespace

OperatorTypes GetTypesOfCast(const CastDescriptor& descriptor) {
  OperatorTypes types = {kStoredTypes, QuantizedTensors::kRefused};
  types.own_outputs = {{0, OutputRule::kFixed, descriptor.to}};
  return types;
}

std::vector<TensorInfo> InferCast(const OperatorInputs& inputs, const CastDescriptor& descriptor) {
  inputs.RequireDataType("to", descriptor.to, kStoredTypes);
  CheckNarrowing(inputs, descriptor);
  return {inputs[0]};
}

}  // namespace backplane
