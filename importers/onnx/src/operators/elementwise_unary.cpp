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

#define BACKPLANE_CONVERT(op, operation)      \
  void Convert##op(Node& node) {              \
    Convert(node, UnaryOperation::operation); \
  }
BACKPLANE_CONVERT(Abs, kAbs)
BACKPLANE_CONVERT(Neg, kNegate)
BACKPLANE_CONVERT(Sign, kSign)
BACKPLANE_CONVERT(Sqrt, kSqrt)
BACKPLANE_CONVERT(Reciprocal, kReciprocal)
BACKPLANE_CONVERT(Exp, kExp)
BACKPLANE_CONVERT(Log, kLog)
BACKPLANE_CONVERT(Sin, kSin)
BACKPLANE_CONVERT(Cos, kCos)
BACKPLANE_CONVERT(Tan, kTan)
BACKPLANE_CONVERT(Asin, kAsin)
BACKPLANE_CONVERT(Acos, kAcos)
BACKPLANE_CONVERT(Atan, kAtan)
BACKPLANE_CONVERT(Sinh, kSinh)
BACKPLANE_CONVERT(Cosh, kCosh)
BACKPLANE_CONVERT(Asinh, kAsinh)
BACKPLANE_CONVERT(Acosh, kAcosh)
BACKPLANE_CONVERT(Atanh, kAtanh)
BACKPLANE_CONVERT(Erf, kErf)
BACKPLANE_CONVERT(Ceil, kCeil)
BACKPLANE_CONVERT(Floor, kFloor)
BACKPLANE_CONVERT(Round, kRound)
BACKPLANE_CONVERT(BitwiseNot, kBitwiseNot)
BACKPLANE_CONVERT(Not, kLogicalNot)
#undef BACKPLANE_CONVERT

}  // namespace backplane::onnx
