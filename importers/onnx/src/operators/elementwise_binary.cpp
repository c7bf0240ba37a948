#include "nodes/node.hpp"
#include "operators/legacy_broadcast.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"

namespace backplane::onnx {
namespace {

template <LayerType kType, typename Operation>
void Convert(Node& node, Operation operation) {
  typename DescriptorOf<kType>::Type descriptor;
  descriptor.operation = operation;
  const OutputSlot first = node.GetInput(0);
  node.SetOutput(node.AddLayer<kType>(descriptor, {first, GetBroadcastInput(node)}));
}

BitwiseOperation ReadShift(Node& node) {
  const auto direction = node.GetAttributes().FindString("direction");
  if (!direction) node.RefuseAsInvalid("direction is absent, but is needed");
  if (*direction == "LEFT") return BitwiseOperation::kShiftLeft;
  if (*direction == "RIGHT") return BitwiseOperation::kShiftRight;
  node.RefuseAsInvalid("direction is \"" + *direction + "\"; LEFT or RIGHT is expected");
}

}  // namespace

#define BACKPLANE_CONVERT(op, layer, operation) \
  void Convert##op(Node& node) {                \
    Convert<LayerType::layer>(node, operation); \
  }
BACKPLANE_CONVERT(Add, kElementwiseBinary, BinaryOperation::kAdd)
BACKPLANE_CONVERT(Sub, kElementwiseBinary, BinaryOperation::kSub)
BACKPLANE_CONVERT(Mul, kElementwiseBinary, BinaryOperation::kMul)
BACKPLANE_CONVERT(Div, kElementwiseBinary, BinaryOperation::kDiv)
BACKPLANE_CONVERT(And, kLogicalBinary, LogicalOperation::kAnd)
BACKPLANE_CONVERT(Or, kLogicalBinary, LogicalOperation::kOr)
BACKPLANE_CONVERT(Xor, kLogicalBinary, LogicalOperation::kXor)
BACKPLANE_CONVERT(BitwiseAnd, kBitwiseBinary, BitwiseOperation::kAnd)
BACKPLANE_CONVERT(BitwiseOr, kBitwiseBinary, BitwiseOperation::kOr)
BACKPLANE_CONVERT(BitwiseXor, kBitwiseBinary, BitwiseOperation::kXor)
BACKPLANE_CONVERT(BitShift, kBitwiseBinary, ReadShift(node))
BACKPLANE_CONVERT(Equal, kComparison, ComparisonOperation::kEqual)
BACKPLANE_CONVERT(Greater, kComparison, ComparisonOperation::kGreater)
BACKPLANE_CONVERT(GreaterOrEqual, kComparison, ComparisonOperation::kGreaterOrEqual)
BACKPLANE_CONVERT(Less, kComparison, ComparisonOperation::kLess)
BACKPLANE_CONVERT(LessOrEqual, kComparison, ComparisonOperation::kLessOrEqual)
#undef BACKPLANE_CONVERT

void ConvertMod(Node& node) {
  const bool is_remainder = node.GetAttributes().GetFlag("fmod");
  const DataType type = node.GetInputInfo(0).data_type;
  if (!is_remainder && IsFloat(type)) {
    node.RefuseAsInvalid(std::string("its inputs are ") + GetDataTypeName(type) +
                         " and fmod is 0; floating point needs fmod to be 1");
  }
  Convert<LayerType::kElementwiseBinary>(
      node, is_remainder ? BinaryOperation::kRemainder : BinaryOperation::kModulo);
}

}  // namespace backplane::onnx
