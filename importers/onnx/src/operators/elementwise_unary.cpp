#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
#define BACKPLANE_CONVERT(op, operation)                                             \
  void Convert##op(Node& node) {                                                     \
    node.SetOutput(AddUnary(node, UnaryOperation::operation, node.GetInput(0), "")); \
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

void ConvertIsNaN(Node& node) {
  FloatClassificationDescriptor descriptor;
  descriptor.detect_nan = 1;
  node.SetOutput(node.AddLayer<LayerType::kFloatClassification>(descriptor, {node.GetInput(0)}));
}

void ConvertIsInf(Node& node) {
  Attributes& attributes = node.GetAttributes();
  FloatClassificationDescriptor descriptor;
  descriptor.detect_positive_infinity = attributes.GetFlag("detect_positive", true) ? 1 : 0;
  descriptor.detect_negative_infinity = attributes.GetFlag("detect_negative", true) ? 1 : 0;
  node.SetOutput(node.AddLayer<LayerType::kFloatClassification>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
