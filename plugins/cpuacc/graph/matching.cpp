#include "graph/matching.hpp"

namespace backplane {
namespace cpuacc {
namespace {

const Node* FindMaker(const GraphEditor& editor, TensorId tensor) {
  const NodeIndex maker = editor.GetMaker(tensor);
  return maker == kNoNode ? nullptr : &editor[maker];
}

/// The extents that are not 1.
TensorShape DropOnes(const TensorShape& shape) {
  TensorShape dropped;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (shape[axis] != 1) dropped.Append(shape[axis]);
  }
  return dropped;
}

}  // namespace

bool IsFloat32(const TensorInfo& info) {
  return info.data_type == DataType::kFloat32 && !info.quantization.IsQuantized();
}

bool IsLayer(const Node& node, LayerType type) {
  return !node.is_removed && node.kind == NodeKind::kLayer && node.type == type;
}

bool IsBareLayer(const Node& node, LayerType type) {
  return IsLayer(node, type) && node.chain.empty();
}

const ElementOp* FindOnlyOp(const Node& node) {
  const bool has_one =
      !node.is_removed && node.kind == NodeKind::kElements && node.chain.size() == 1;
  return has_one ? &node.chain[0] : nullptr;
}

const Node* FindLayer(const GraphEditor& editor, TensorId tensor, LayerType type) {
  const Node* maker = FindMaker(editor, tensor);
  return maker != nullptr && IsBareLayer(*maker, type) ? maker : nullptr;
}

const Node* FindBinary(const GraphEditor& editor, TensorId tensor, BinaryOperation operation) {
  const Node* maker = FindMaker(editor, tensor);
  const ElementOp* op = maker == nullptr ? nullptr : FindOnlyOp(*maker);
  const bool is_it =
      op != nullptr && op->kind == ElementOp::Kind::kBinary && op->binary == operation;
  return is_it ? maker : nullptr;
}

const Node* FindUnary(const GraphEditor& editor, TensorId tensor, UnaryOperation operation) {
  const Node* maker = FindMaker(editor, tensor);
  const ElementOp* op = maker == nullptr ? nullptr : FindOnlyOp(*maker);
  const bool is_it = op != nullptr && op->kind == ElementOp::Kind::kUnary && op->unary == operation;
  return is_it ? maker : nullptr;
}

std::optional<LinearMatch> FindLinear(const GraphEditor& editor, TensorId tensor) {
  const Node* maker = FindMaker(editor, tensor);
  const ElementOp* op = maker == nullptr ? nullptr : FindOnlyOp(*maker);
  if (op == nullptr || op->kind != ElementOp::Kind::kActivation ||
      op->activation != ActivationFunction::kLinear) {
    return {};
  }
  return LinearMatch{maker->inputs[0], op->alpha, op->beta};
}

TensorId FindSquared(const GraphEditor& editor, TensorId tensor) {
  const Node* product = FindBinary(editor, tensor, BinaryOperation::kMul);
  if (product != nullptr && product->inputs[0] == product->inputs[1]) return product->inputs[0];
  const Node* power = FindBinary(editor, tensor, BinaryOperation::kPower);
  if (power == nullptr || power->chain[0].operand_is_first) return kNoTensor;
  float exponent = 0.0F;
  const bool is_uniform = GetUniformFloat(editor.GetTensor(power->inputs[1]), &exponent);
  return is_uniform && exponent == 2.0F ? power->inputs[0] : kNoTensor;
}

TensorId SkipReshapes(const GraphEditor& editor, TensorId tensor) {
  while (const Node* reshape = FindLayer(editor, tensor, LayerType::kReshape)) {
    tensor = reshape->inputs[0];
  }
  return tensor;
}

const Node* FindExchange(const GraphEditor& editor, TensorId tensor) {
  const Node* transpose = FindLayer(editor, tensor, LayerType::kTranspose);
  const std::uint32_t rank = editor.GetTensor(tensor).info.shape.rank;
  if (transpose == nullptr || rank < 2) return nullptr;
  const auto descriptor = transpose->GetDescriptor<TransposeDescriptor>();
  for (std::uint32_t axis = 0; axis + 2 < rank; ++axis) {
    if (descriptor.permutation[axis] != axis) return nullptr;
  }
  return descriptor.permutation[rank - 1] == rank - 2 ? transpose : nullptr;
}

bool KeepsOrder(const TensorShape& shape, const TransposeDescriptor& transpose) {
  std::int64_t last = -1;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    const std::uint32_t from = transpose.permutation[axis];
    if (shape[from] == 1) continue;
    if (from < last) return false;
    last = from;
  }
  return true;
}

bool HasSameExtents(const TensorShape& a, const TensorShape& b) {
  return DropOnes(a) == DropOnes(b);
}

}  // namespace cpuacc
}  // namespace backplane
