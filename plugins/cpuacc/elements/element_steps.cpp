#include "elements/element_steps.hpp"

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::int64_t kCostOfExponential = 8;
constexpr std::int64_t kCostOfLibraryCall = 50;

const BinaryFunctions& GetFunctions(const SimdFunctions& simd, const ElementOp& op) {
  return op.kind == ElementOp::Kind::kPrelu
             ? simd.elements.prelu
             : simd.elements.binary[static_cast<std::size_t>(op.binary)];
}

std::int64_t GetCost(ActivationFunction function) {
  switch (function) {
    case ActivationFunction::kRelu:
    case ActivationFunction::kBoundedRelu:
    case ActivationFunction::kLeakyRelu:
    case ActivationFunction::kHardSigmoid:
    case ActivationFunction::kHardSwish:
    case ActivationFunction::kThresholdedRelu:
    case ActivationFunction::kShrink:
    case ActivationFunction::kLinear:
      return 1;
    default:
      return kCostOfExponential;
  }
}

std::int64_t GetCost(UnaryOperation operation) {
  switch (operation) {
    case UnaryOperation::kExp:
    case UnaryOperation::kLog:
    case UnaryOperation::kErf:
      return kCostOfExponential;
    default:
      return operation >= UnaryOperation::kSin && operation <= UnaryOperation::kAtanh
                 ? kCostOfLibraryCall
                 : 1;
  }
}

std::int64_t GetCost(BinaryOperation operation) {
  return operation == BinaryOperation::kPower || operation == BinaryOperation::kModulo ||
                 operation == BinaryOperation::kRemainder
             ? kCostOfLibraryCall
             : 1;
}

/// Powers that are simpler than they look. The result lies in `step`.
bool FindSimplePower(const SimdFunctions& simd, float exponent, ElementStep& step) {
  if (exponent == 2.0F) {
    step.map = simd.elements.square;
  } else if (exponent == 3.0F) {
    step.map = simd.elements.cube;
  } else if (exponent == -1.0F) {
    step.map = simd.elements.unary[static_cast<std::size_t>(UnaryOperation::kReciprocal)];
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::int64_t GetCost(const ElementOp& op) {
  switch (op.kind) {
    case ElementOp::Kind::kActivation:
      return GetCost(op.activation);
    case ElementOp::Kind::kUnary:
      return GetCost(op.unary);
    case ElementOp::Kind::kBinary:
      return GetCost(op.binary);
    case ElementOp::Kind::kPrelu:
      return 1;
  }
  return 1;
}

ElementStep MakeStep(const SimdFunctions& simd, const ElementOp& op, std::optional<float> number) {
  ElementStep step;
  step.alpha = number.value_or(op.alpha);
  step.beta = op.beta;
  if (op.kind == ElementOp::Kind::kActivation) {
    step.map = simd.elements.activations[static_cast<std::size_t>(op.activation)];
  } else if (op.kind == ElementOp::Kind::kUnary) {
    step.map = simd.elements.unary[static_cast<std::size_t>(op.unary)];
  } else if (op.binary != BinaryOperation::kPower || op.kind == ElementOp::Kind::kPrelu ||
             op.operand_is_first || !FindSimplePower(simd, step.alpha, step)) {
    const BinaryFunctions& functions = GetFunctions(simd, op);
    step.map = op.operand_is_first ? functions.of_second : functions.of_first;
  }
  return step;
}

ElementStep MakeStep(const SimdFunctions& simd, const ElementOp& op, std::size_t tensor) {
  const BinaryFunctions& functions = GetFunctions(simd, op);
  ElementStep step;
  step.map = op.operand_is_first ? functions.of_second : functions.of_first;
  step.combine = functions.of_arrays;
  step.tensor = tensor;
  step.operand_is_first = op.operand_is_first;
  return step;
}

ElementStep MakeIntegerStep(const SimdFunctions& simd) {
  ElementStep step;
  step.map = simd.elements.from_int32;
  return step;
}

ElementStep MakeMaskStep(const SimdFunctions& simd, std::size_t mask) {
  ElementStep step;
  step.map = simd.elements.mask.of_first;
  step.combine = simd.elements.mask.of_arrays;
  step.tensor = mask;
  return step;
}

}  // namespace cpuacc
}  // namespace backplane
