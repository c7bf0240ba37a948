#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/reduce.hpp>
#include <backplane/api/descriptors/softmax.hpp>

#include <optional>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// A reduction along one axis, under a shape in which it broadcasts back.
struct AxisReduction {
  TensorId variable = kNoTensor;
  std::uint32_t axis = 0;
};

std::optional<AxisReduction> FindAxisReduction(const GraphEditor& editor, TensorId tensor,
                                               ReduceOperation operation) {
  const Node* reduce = FindLayer(editor, SkipReshapes(editor, tensor), LayerType::kReduce);
  if (reduce == nullptr) return {};
  const auto descriptor = reduce->GetDescriptor<ReduceDescriptor>();
  if (descriptor.operation != operation || descriptor.num_axes != 1) return {};
  TensorShape kept = editor.GetTensor(reduce->inputs[0]).info.shape;
  kept[descriptor.axes[0]] = 1;
  if (editor.GetTensor(tensor).info.shape != kept) return {};
  return AxisReduction{reduce->inputs[0], descriptor.axes[0]};
}

/// The exponentials, and the axis along which they are divided by their sum.
std::optional<AxisReduction> FindShares(const GraphEditor& editor, const Node& node) {
  const ElementOp* op = FindOnlyOp(node);
  if (op == nullptr || op->kind != ElementOp::Kind::kBinary || op->operand_is_first) return {};
  TensorId sums = node.inputs[1];
  if (op->binary == BinaryOperation::kMul) {
    const Node* reciprocal = FindUnary(editor, sums, UnaryOperation::kReciprocal);
    if (reciprocal == nullptr) return {};
    sums = reciprocal->inputs[0];
  } else if (op->binary != BinaryOperation::kDiv) {
    return {};
  }
  const auto sum = FindAxisReduction(editor, sums, ReduceOperation::kSum);
  return sum && sum->variable == node.inputs[0] ? sum : std::nullopt;
}

/// The exponents, with or without the greatest of each line taken off.
TensorId FindExponents(const GraphEditor& editor, const AxisReduction& exponentials) {
  const Node* exponential = FindUnary(editor, exponentials.variable, UnaryOperation::kExp);
  if (exponential == nullptr) return kNoTensor;
  const TensorId exponents = exponential->inputs[0];
  const Node* difference = FindBinary(editor, exponents, BinaryOperation::kSub);
  if (difference == nullptr || difference->chain[0].operand_is_first) return exponents;
  const auto greatest = FindAxisReduction(editor, difference->inputs[1], ReduceOperation::kMaximum);
  const bool is_shift = greatest && greatest->axis == exponentials.axis &&
                        greatest->variable == difference->inputs[0];
  return is_shift ? difference->inputs[0] : exponents;
}

void NameNode(GraphEditor& editor, NodeIndex index) {
  const auto shares = FindShares(editor, editor[index]);
  if (!shares) return;
  const TensorId exponents = FindExponents(editor, *shares);
  if (exponents == kNoTensor) return;
  SoftmaxDescriptor descriptor;
  descriptor.axis = shares->axis;
  Node softmax = MakeLayerNode(LayerType::kSoftmax, descriptor, editor[index].name, {exponents},
                               editor[index].outputs[0]);
  if (CanRun(editor.GetGraph(), softmax)) editor.SetNode(index, std::move(softmax));
}

}  // namespace

/// Exponentials divided by their sum become one layer.
void NameSoftmax(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) NameNode(editor, index);
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
