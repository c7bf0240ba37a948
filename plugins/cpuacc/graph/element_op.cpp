#include "graph/element_op.hpp"

namespace backplane {
namespace cpuacc {

bool Commutes(BinaryOperation operation) {
  return operation == BinaryOperation::kAdd || operation == BinaryOperation::kMul ||
         operation == BinaryOperation::kMaximum || operation == BinaryOperation::kMinimum ||
         operation == BinaryOperation::kSquaredDifference;
}

ElementOp MakeActivation(ActivationFunction function, float alpha, float beta) {
  ElementOp op;
  op.kind = ElementOp::Kind::kActivation;
  op.activation = function;
  op.alpha = alpha;
  op.beta = beta;
  return op;
}

ElementOp MakeUnary(UnaryOperation operation) {
  ElementOp op;
  op.kind = ElementOp::Kind::kUnary;
  op.unary = operation;
  return op;
}

ElementOp MakeBinary(BinaryOperation operation, std::uint32_t operand, bool operand_is_first) {
  ElementOp op;
  op.kind = ElementOp::Kind::kBinary;
  op.binary = operation;
  op.operand = operand;
  op.operand_is_first = operand_is_first;
  return op;
}

ElementOp MakePrelu(std::uint32_t operand) {
  ElementOp op;
  op.kind = ElementOp::Kind::kPrelu;
  op.operand = operand;
  return op;
}

}  // namespace cpuacc
}  // namespace backplane
