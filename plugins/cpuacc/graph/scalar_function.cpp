#include "graph/scalar_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

double Clamp(double x, double least, double most) {
  return std::min(most, std::max(least, x));
}

double GeluByTanH(double x) {
  const double kFactor = 0.79788456080286535588;  // sqrt(2 / pi)
  return x / 2 * (1 + std::tanh(kFactor * (x + 0.044715 * x * x * x)));
}

double Shrink(double x, double alpha, double beta) {
  if (x < -alpha) return x + beta;
  return x > alpha ? x - beta : 0;
}

double Evaluate(ActivationFunction function, double x, double alpha, double beta) {
  switch (function) {
    case ActivationFunction::kRelu:
      return std::max(0.0, x);
    case ActivationFunction::kBoundedRelu:
      return std::min(alpha, std::max(beta, x));
    case ActivationFunction::kLeakyRelu:
      return x >= 0 ? x : alpha * x;
    case ActivationFunction::kSigmoid:
      return Sigmoid(x);
    case ActivationFunction::kTanH:
      return alpha * std::tanh(beta * x);
    case ActivationFunction::kElu:
      return x >= 0 ? x : alpha * (std::exp(x) - 1);
    case ActivationFunction::kSelu:
      return x > 0 ? beta * x : beta * alpha * (std::exp(x) - 1);
    case ActivationFunction::kCelu:
      return x >= 0 ? x : alpha * (std::exp(x / alpha) - 1);
    case ActivationFunction::kGelu:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case ActivationFunction::kGeluTanH:
      return GeluByTanH(x);
    case ActivationFunction::kHardSigmoid:
      return Clamp(alpha * x + beta, 0, 1);
    case ActivationFunction::kHardSwish:
      return x * Clamp(x / 6 + 0.5, 0, 1);
    case ActivationFunction::kSwish:
      return x * Sigmoid(alpha * x);
    case ActivationFunction::kSoftplus:
      return std::log(1 + std::exp(x));
    case ActivationFunction::kSoftsign:
      return x / (1 + std::fabs(x));
    case ActivationFunction::kMish:
      return x * std::tanh(std::log(1 + std::exp(x)));
    case ActivationFunction::kThresholdedRelu:
      return x > alpha ? x : 0;
    case ActivationFunction::kShrink:
      return Shrink(x, alpha, beta);
    case ActivationFunction::kLinear:
      return alpha * x + beta;
  }
  return kNotKnown;
}

double Evaluate(UnaryOperation operation, double x) {
  switch (operation) {
    case UnaryOperation::kAbs:
      return std::fabs(x);
    case UnaryOperation::kNegate:
      return -x;
    case UnaryOperation::kSqrt:
      return std::sqrt(x);
    case UnaryOperation::kReciprocal:
      return 1 / x;
    case UnaryOperation::kExp:
      return std::exp(x);
    case UnaryOperation::kLog:
      return std::log(x);
    case UnaryOperation::kErf:
      return std::erf(x);
    default:
      return kNotKnown;
  }
}

double Evaluate(BinaryOperation operation, double a, double b) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return a + b;
    case BinaryOperation::kSub:
      return a - b;
    case BinaryOperation::kMul:
      return a * b;
    case BinaryOperation::kDiv:
      return a / b;
    case BinaryOperation::kMaximum:
      return std::max(a, b);
    case BinaryOperation::kMinimum:
      return std::min(a, b);
    case BinaryOperation::kPower:
      return std::pow(a, b);
    case BinaryOperation::kSquaredDifference:
      return (a - b) * (a - b);
    default:
      return kNotKnown;
  }
}

}  // namespace

// All that are known are defined between 0 and 1.
bool CanEvaluate(const ElementOp& op) {
  return !std::isnan(Evaluate(op, 0.5, 0.25));
}

double Evaluate(const ElementOp& op, double x, double operand) {
  switch (op.kind) {
    case ElementOp::Kind::kActivation:
      return Evaluate(op.activation, x, static_cast<double>(op.alpha),
                      static_cast<double>(op.beta));
    case ElementOp::Kind::kUnary:
      return Evaluate(op.unary, x);
    case ElementOp::Kind::kBinary:
      return op.operand_is_first ? Evaluate(op.binary, operand, x)
                                 : Evaluate(op.binary, x, operand);
    case ElementOp::Kind::kPrelu:
      return x < 0 ? x * operand : x;
  }
  return kNotKnown;
}

}  // namespace cpuacc
}  // namespace backplane
