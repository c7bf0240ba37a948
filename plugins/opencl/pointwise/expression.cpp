#include "pointwise/expression.hpp"

#include "pointwise/statements.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>
#include <backplane/api/descriptors/cast.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace backplane {
namespace opencl {
namespace {

// The mean is subtracted first: beside a large one the differences are all there is.
std::string WriteBatchNormalization(const Layer& layer, const std::vector<std::string>& x,
                                    const std::string& result) {
  const auto descriptor = layer.GetDescriptor<BatchNormalizationDescriptor>();
  return Text("const float ", result, " = (", x[0], " - ", x[3], ") * (", x[1], " / sqrt(", x[4],
              " + ", WriteFloat(descriptor.epsilon), ")) + ", x[2], ";\n");
}

std::string WritePrelu(const std::string& type, const std::vector<std::string>& x,
                       const std::string& result) {
  const std::string scaled = result + "_scaled";
  return WriteBinary(BinaryOperation::kMul, type, x[0], x[1], scaled) +
         Text("const ", type, " ", result, " = ", x[0], " < 0 ? ", scaled, " : ", x[0], ";\n");
}

/// A power that needs no function, by its exponent, as an expression of x; null: it does.
const char* FindPower(const PlannedLayer& layer) {
  const auto operation = layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation;
  const ConstTensor* exponent = layer.num_inputs == 2 ? layer.GetConstant(1) : nullptr;
  if (operation != BinaryOperation::kPower || exponent == nullptr || exponent->data == nullptr ||
      exponent->info.data_type != DataType::kFloat32 ||
      exponent->info.shape.GetNumElements() != 1) {
    return nullptr;
  }
  float number = 0;
  std::memcpy(&number, exponent->data, sizeof(number));
  if (number == 2.0F) return "x * x";
  if (number == 3.0F) return "x * x * x";
  if (number == -1.0F) return "1.0f / x";
  // Of minus infinity and minus 0 the root is another.
  if (number == 0.5F) return "isinf(x) ? INFINITY : sqrt(x) + 0.0f";
  return nullptr;
}

std::string WritePower(const char* power, const std::string& x, const std::string& result) {
  return Text("float ", result, ";\n{\nconst float x = ", x, ";\n", result, " = ", power, ";\n}\n");
}

}  // namespace

std::string GetComputedType(DataType data_type) {
  switch (data_type) {
    case DataType::kFloat32:
    case DataType::kFloat16:
      return "float";
    case DataType::kInt8:
    case DataType::kInt16:
    case DataType::kInt32:
    case DataType::kInt64:
      return "long";
    default:
      return "ulong";
  }
}

std::string WriteFloat(float value) {
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  char text[48];
  std::snprintf(text, sizeof(text), value < 0 ? "(%af)" : "%af", static_cast<double>(value));
  return text;
}

bool IsPointwise(LayerType type) {
  switch (type) {
    case LayerType::kActivation:
    case LayerType::kElementwiseUnary:
    case LayerType::kElementwiseBinary:
    case LayerType::kPrelu:
    case LayerType::kComparison:
    case LayerType::kLogicalBinary:
    case LayerType::kBitwiseBinary:
    case LayerType::kCast:
    case LayerType::kBatchNormalization:
      return true;
    default:
      return false;
  }
}

std::string WriteLayer(const PlannedLayer& layer, const std::vector<std::string>& operands,
                       const std::string& result) {
  const std::string type = GetComputedType(layer.Input(0).data_type);
  const std::string& x = operands[0];
  switch (layer.type) {
    case LayerType::kActivation:
      // Of the functions, integers have Relu.
      if (type != "float") {
        return Text("const ", type, " ", result, " = ", x, " < 0 ? 0 : ", x, ";\n");
      }
      return WriteActivation(layer.GetDescriptor<ActivationDescriptor>(), x, result);
    case LayerType::kElementwiseUnary:
      return WriteUnary(layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation, type, x,
                        result);
    case LayerType::kElementwiseBinary:
      if (const char* power = FindPower(layer)) return WritePower(power, x, result);
      return WriteBinary(layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation, type, x,
                         operands[1], result);
    case LayerType::kPrelu:
      return WritePrelu(type, operands, result);
    case LayerType::kComparison:
      return WriteComparison(layer.GetDescriptor<ComparisonDescriptor>().operation, x, operands[1],
                             result);
    case LayerType::kLogicalBinary:
      return WriteLogical(layer.GetDescriptor<LogicalBinaryDescriptor>().operation, x, operands[1],
                          result);
    case LayerType::kBitwiseBinary:
      return WriteBitwise(layer.GetDescriptor<BitwiseBinaryDescriptor>().operation, type, x,
                          operands[1], result);
    case LayerType::kBatchNormalization:
      return WriteBatchNormalization(layer, operands, result);
    default:
      return WriteCast(layer.Input(0).data_type, layer.GetDescriptor<CastDescriptor>().to, x,
                       result);
  }
}

TensorShape GetOperandShape(const Layer& layer, std::uint32_t input) {
  TensorShape shape = layer.Input(input).shape;
  if (layer.type != LayerType::kBatchNormalization || input == 0) return shape;
  const auto descriptor = layer.GetDescriptor<BatchNormalizationDescriptor>();
  for (std::uint32_t axis = descriptor.axis + 1; axis < layer.Input(0).shape.rank; ++axis) {
    shape.Append(1);
  }
  return shape;
}

}  // namespace opencl
}  // namespace backplane
