#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, UnaryOperation operation) {
  ElementwiseUnaryDescriptor descriptor;
  descriptor.operation = operation;
  node.SetOutput(node.AddLayer<LayerType::kElementwiseUnary>(descriptor, {node.GetInput(0)}));
}

}  // namespace

void ConvertAbs(Node& node) {
  Convert(node, UnaryOperation::kAbs);
}

void ConvertNeg(Node& node) {
  Convert(node, UnaryOperation::kNegate);
}

void ConvertSign(Node& node) {
  Convert(node, UnaryOperation::kSign);
}

void ConvertSqrt(Node& node) {
  Convert(node, UnaryOperation::kSqrt);
}

void ConvertReciprocal(Node& node) {
  Convert(node, UnaryOperation::kReciprocal);
}

void ConvertExp(Node& node) {
  Convert(node, UnaryOperation::kExp);
}

void ConvertLog(Node& node) {
  Convert(node, UnaryOperation::kLog);
}

void ConvertSin(Node& node) {
  Convert(node, UnaryOperation::kSin);
}

void ConvertCos(Node& node) {
  Convert(node, UnaryOperation::kCos);
}

void ConvertTan(Node& node) {
  Convert(node, UnaryOperation::kTan);
}

void ConvertAsin(Node& node) {
  Convert(node, UnaryOperation::kAsin);
}

void ConvertAcos(Node& node) {
  Convert(node, UnaryOperation::kAcos);
}

void ConvertAtan(Node& node) {
  Convert(node, UnaryOperation::kAtan);
}

void ConvertSinh(Node& node) {
  Convert(node, UnaryOperation::kSinh);
}

void ConvertCosh(Node& node) {
  Convert(node, UnaryOperation::kCosh);
}

void ConvertAsinh(Node& node) {
  Convert(node, UnaryOperation::kAsinh);
}

void ConvertAcosh(Node& node) {
  Convert(node, UnaryOperation::kAcosh);
}

void ConvertAtanh(Node& node) {
  Convert(node, UnaryOperation::kAtanh);
}

void ConvertErf(Node& node) {
  Convert(node, UnaryOperation::kErf);
}

void ConvertCeil(Node& node) {
  Convert(node, UnaryOperation::kCeil);
}

void ConvertFloor(Node& node) {
  Convert(node, UnaryOperation::kFloor);
}

void ConvertRound(Node& node) {
  Convert(node, UnaryOperation::kRound);
}

void ConvertBitwiseNot(Node& node) {
  Convert(node, UnaryOperation::kBitwiseNot);
}

void ConvertNot(Node& node) {
  Convert(node, UnaryOperation::kLogicalNot);
}

}  // namespace backplane::onnx
