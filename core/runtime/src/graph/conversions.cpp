#include "graph/operators.hpp"

namespace backplane {
namespace {

void CheckNarrowing(const OperatorInputs& inputs, const CastDescriptor& descriptor) {
  inputs.RequireKnown("overflow", descriptor.overflow,
                      {NarrowOverflow::kSaturate, NarrowOverflow::kSpecial}, "Saturate or Special");
  inputs.RequireKnown("scale_rounding", descriptor.scale_rounding,
                      {ScaleRounding::kUp, ScaleRounding::kDown, ScaleRounding::kNearest},
                      "Up, Down or Nearest");
}

// Of the others not every byte is an element.
constexpr TypeSet kWholeBytes =
    kNumberTypes | TypeSet{DataType::kFloat8E4M3FN, DataType::kFloat8E4M3FNUZ,
                           DataType::kFloat8E5M2, DataType::kFloat8E5M2FNUZ,
                           DataType::kFloat8E8M0FNU};

TypeSet SelectBySize(std::uint32_t size_bytes) {
  TypeSet selected;
#define BACKPLANE_DATA_TYPE(name, number, size, ...)              \
  if (size == size_bytes && kWholeBytes.Has(DataType::k##name)) { \
    selected = selected | TypeSet{DataType::k##name};             \
  }
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
  return selected;
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

OperatorTypes GetTypesOfBitCast(const BitCastDescriptor& descriptor) {
  const bool is_known = kWholeBytes.Has(descriptor.to);
  OperatorTypes types = {is_known ? SelectBySize(GetDataTypeSizeBytes(descriptor.to)) : kWholeBytes,
                         QuantizedTensors::kRefused};
  types.own_outputs = {{0, OutputRule::kFixed, descriptor.to}};
  return types;
}

std::vector<TensorInfo> InferBitCast(const OperatorInputs& inputs,
                                     const BitCastDescriptor& descriptor) {
  inputs.RequireDataType("to", descriptor.to, kWholeBytes);
  return {inputs[0]};
}

std::vector<TensorInfo> InferQuantize(const OperatorInputs& inputs,
                                      const NoDescriptor& /*descriptor*/) {
  return {inputs[0]};
}

OperatorTypes GetTypesOfDequantize(const DequantizeDescriptor& descriptor) {
  OperatorTypes types = {TypeSet{}, QuantizedTensors::kInRange};
  types.own_outputs = {{0, OutputRule::kFixed, descriptor.to}};
  return types;
}

std::vector<TensorInfo> InferDequantize(const OperatorInputs& inputs,
                                        const DequantizeDescriptor& descriptor) {
  inputs.RequireDataType("to", descriptor.to, kFloatTypes);
  return {inputs[0]};
}

std::vector<TensorInfo> InferDynamicQuantize(const OperatorInputs& inputs,
                                             const NoDescriptor& /*descriptor*/) {
  return {inputs[0], TensorInfo(), TensorInfo()};
}

std::vector<TensorInfo> InferReinterpret(const OperatorInputs& inputs,
                                         const NoDescriptor& /*descriptor*/) {
  return {inputs[0]};
}

}  // namespace backplane
