#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "pointwise/expression.hpp"
#include "pointwise/program.hpp"

#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/normalization_refusal.hpp"

#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/bitwise_binary.hpp>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/comparison.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>
#include <backplane/api/descriptors/logical_binary.hpp>
#include <backplane/api/narrow_types.hpp>

#include <cmath>

namespace backplane {
namespace opencl {
namespace {

enum class Numbers { kAll, kFloats, kIntegers, kBool };

bool IsOf(Numbers numbers, DataType type) {
  const bool is_float = type == DataType::kFloat32 || type == DataType::kFloat16;
  const bool is_integer = GetComputedType(type) != "float" && type != DataType::kBool &&
                          type != DataType::kBFloat16 && type != DataType::kFloat64 &&
                          !IsNarrowType(type) && GetDataTypeSizeBytes(type) != 0;
  switch (numbers) {
    case Numbers::kFloats:
      return is_float;
    case Numbers::kIntegers:
      return is_integer;
    case Numbers::kBool:
      return type == DataType::kBool;
    default:
      return is_float || is_integer;
  }
}

const char* Describe(Numbers numbers) {
  switch (numbers) {
    case Numbers::kFloats:
      return "float32 and float16";
    case Numbers::kIntegers:
      return "integers";
    case Numbers::kBool:
      return "bool";
    default:
      return "float32, float16 and integers";
  }
}

void RequireType(const TensorInfo& info, const std::string& name, Numbers numbers,
                 Refusal& refusal) {
  if (info.quantization.IsQuantized()) {
    refusal.Add(name, " is quantised, which is not supported");
  } else if (!IsOf(numbers, info.data_type)) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", name,
                " is not supported, only ", Describe(numbers));
  }
}

void RequireInputs(const Layer& layer, Numbers numbers, Refusal& refusal) {
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
    RequireType(layer.Input(i), Text("input ", i), numbers, refusal);
    if (layer.Input(i).data_type == layer.Input(0).data_type) continue;
    refusal.Add("data type ", GetDataTypeName(layer.Input(i).data_type), " of input ", i,
                " differs from ", GetDataTypeName(layer.Input(0).data_type), " of input 0");
  }
  RequireIntIndices(layer, refusal);
}

void RequireOneType(const Layer& layer, Numbers numbers, Refusal& refusal) {
  RequireInputs(layer, numbers, refusal);
  RequireType(layer.Output(), "the output", numbers, refusal);
  if (refusal.IsEmpty()) RequireOneRepresentation(layer, refusal);
}

void RequireBoolResult(const Layer& layer, Numbers numbers, Refusal& refusal) {
  RequireInputs(layer, numbers, refusal);
  RequireType(layer.Output(), "the output", Numbers::kBool, refusal);
}

template <typename Operation>
void RequireOperation(const char* what, Operation operation, Operation last, Refusal& refusal) {
  const auto number = static_cast<std::uint32_t>(operation);
  if (number >= 1 && operation <= last) return;
  refusal.Add(what, " ", number, " is not supported, only 1 to ", static_cast<std::uint32_t>(last));
}

Numbers GetNumbers(UnaryOperation operation) {
  switch (operation) {
    case UnaryOperation::kAbs:
    case UnaryOperation::kNegate:
    case UnaryOperation::kSign:
      return Numbers::kAll;
    case UnaryOperation::kBitwiseNot:
      return Numbers::kIntegers;
    case UnaryOperation::kLogicalNot:
      return Numbers::kBool;
    default:
      return Numbers::kFloats;
  }
}

KernelPlan PlanElementwise(const PlannedLayer& layer, const DeviceLimits& limits) {
  Pointwise pointwise;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
    pointwise.operands.push_back(
        {i, GetStoredElement(layer.Input(i).data_type), GetOperandShape(layer, i)});
    names.push_back(Text("x", i));
  }
  pointwise.result = "y";
  pointwise.statements = WriteLayer(layer, names, pointwise.result);
  pointwise.output_element = GetStoredElement(layer.Output().data_type);
  pointwise.output = layer.Output().shape;
  return MakePointwisePlan(pointwise, limits);
}

}  // namespace

std::string FindRefusalOfActivation(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<ActivationDescriptor>();
  const bool is_relu = descriptor.function == ActivationFunction::kRelu;
  RequireOneType(layer, is_relu ? Numbers::kAll : Numbers::kFloats, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  RequireOperation("activation function", descriptor.function, ActivationFunction::kLinear,
                   refusal);
  if (std::isnan(descriptor.alpha) || std::isnan(descriptor.beta)) {
    refusal.Add("alpha or beta is not a number");
  }
  return refusal.GetReason();
}

std::string FindRefusalOfElementwiseUnary(const PlannedLayer& layer,
                                          const DeviceLimits& /*limits*/) {
  Refusal refusal;
  const auto operation = layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation;
  RequireOneType(layer, GetNumbers(operation), refusal);
  RequireOperation("unary operation", operation, UnaryOperation::kLogicalNot, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfElementwiseBinary(const PlannedLayer& layer,
                                           const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireOneType(layer, Numbers::kAll, refusal);
  RequireOperation("binary operation", layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation,
                   BinaryOperation::kSquaredDifference, refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfPrelu(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireOneType(layer, Numbers::kAll, refusal);
  RequirePrelu(layer, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfComparison(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  const auto operation = layer.GetDescriptor<ComparisonDescriptor>().operation;
  const bool is_equality =
      operation == ComparisonOperation::kEqual || operation == ComparisonOperation::kNotEqual;
  const bool is_of_bool = is_equality && layer.Input(0).data_type == DataType::kBool;
  RequireBoolResult(layer, is_of_bool ? Numbers::kBool : Numbers::kAll, refusal);
  RequireOperation("comparison", operation, ComparisonOperation::kLessOrEqual, refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfLogicalBinary(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireBoolResult(layer, Numbers::kBool, refusal);
  RequireOperation("logical operation", layer.GetDescriptor<LogicalBinaryDescriptor>().operation,
                   LogicalOperation::kXor, refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfBitwiseBinary(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireOneType(layer, Numbers::kIntegers, refusal);
  RequireOperation("bitwise operation", layer.GetDescriptor<BitwiseBinaryDescriptor>().operation,
                   BitwiseOperation::kShiftRight, refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfCast(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  const auto get_numbers = [](const TensorInfo& info) {
    return info.data_type == DataType::kBool ? Numbers::kBool : Numbers::kAll;
  };
  RequireType(layer.Input(0), "input 0", get_numbers(layer.Input(0)), refusal);
  RequireType(layer.Output(), "the output", get_numbers(layer.Output()), refusal);
  RequireOutputType(layer, layer.GetDescriptor<CastDescriptor>().to, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfBatchNormalization(const PlannedLayer& layer,
                                            const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireOneType(layer, Numbers::kFloats, refusal);
  RequireBatchNormalization(layer, refusal);
  return refusal.GetReason();
}

std::string FindRefusalOfWhere(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal, {{TensorRole::kBool}, {}});
  RequireBroadcast(layer, refusal);
  RequireIntIndices(layer, refusal);
  if (layer.Output().quantization.IsPerAxis()) {
    refusal.Add("the output has a scale for each index of an axis, which is not supported");
  }
  return refusal.GetReason();
}

KernelPlan PlanWhere(const PlannedLayer& layer, const DeviceLimits& limits) {
  const StoredElement element = GetMovedElement(GetElementBytes(layer.Output().data_type));
  Pointwise pointwise;
  pointwise.operands = {{0, GetStoredElement(DataType::kBool), layer.Input(0).shape},
                        {1, element, layer.Input(1).shape},
                        {2, element, layer.Input(2).shape}};
  pointwise.statements = Text("const ", element.type, " y = x0 ? x1 : x2;\n");
  pointwise.result = "y";
  pointwise.output_element = element;
  pointwise.output = layer.Output().shape;
  return MakePointwisePlan(pointwise, limits);
}

#define OPENCL_ELEMENTWISE(name)                                                 \
  KernelPlan Plan##name(const PlannedLayer& layer, const DeviceLimits& limits) { \
    return PlanElementwise(layer, limits);                                       \
  }
OPENCL_ELEMENTWISE(Activation)
OPENCL_ELEMENTWISE(ElementwiseUnary)
OPENCL_ELEMENTWISE(ElementwiseBinary)
OPENCL_ELEMENTWISE(Prelu)
OPENCL_ELEMENTWISE(Comparison)
OPENCL_ELEMENTWISE(LogicalBinary)
OPENCL_ELEMENTWISE(BitwiseBinary)
OPENCL_ELEMENTWISE(Cast)
OPENCL_ELEMENTWISE(BatchNormalization)
#undef OPENCL_ELEMENTWISE

}  // namespace opencl
}  // namespace backplane
