#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/passes.hpp"

#include <cmath>
#include <optional>

namespace backplane {
namespace cpuacc {
namespace {

ElementOp MakeLinear(float alpha, float beta) {
  return MakeActivation(ActivationFunction::kLinear, alpha, beta);
}

std::optional<ElementOp> FindLinearOp(const ElementOp& op, float operand) {
  switch (op.binary) {
    case BinaryOperation::kAdd:
      return MakeLinear(1.0F, operand);
    case BinaryOperation::kSub:
      return op.operand_is_first ? MakeLinear(-1.0F, operand) : MakeLinear(1.0F, -operand);
    case BinaryOperation::kMul:
      return MakeLinear(operand, 0.0F);
    case BinaryOperation::kDiv:
      if (op.operand_is_first || !std::isnormal(operand) || !std::isnormal(1.0F / operand)) {
        return {};
      }
      return MakeLinear(1.0F / operand, 0.0F);
    default:
      return {};
  }
}

/// The operation as alpha * x + beta; empty when it is something else.
std::optional<ElementOp> FindLinearOp(const Graph& graph, const Node& node) {
  const ElementOp* op = FindOnlyOp(node);
  if (op == nullptr || graph.Input(node, 0).info.shape != graph.Output(node).info.shape) return {};
  if (op->kind == ElementOp::Kind::kUnary && op->unary == UnaryOperation::kNegate) {
    return MakeLinear(-1.0F, 0.0F);
  }
  float operand = 0.0F;
  if (op->kind != ElementOp::Kind::kBinary || !GetUniformFloat(graph.Input(node, 1), &operand) ||
      !std::isfinite(operand)) {
    return {};
  }
  return FindLinearOp(*op, operand);
}

/// Two of them, one after the other, become one when nobody reads what is between.
void MergeLinearOps(GraphEditor& editor, NodeIndex index) {
  while (const auto first = FindLinear(editor, editor[index].inputs[0])) {
    if (editor.CountReads(editor[index].inputs[0]) != 1) return;
    Node merged = editor[index];
    ElementOp& op = merged.chain[0];
    op.beta += op.alpha * first->beta;
    op.alpha *= first->alpha;
    editor.Remove(editor.GetMaker(merged.inputs[0]));
    merged.inputs[0] = first->variable;
    editor.SetNode(index, std::move(merged));
  }
}

}  // namespace

/// What is alpha * x + beta for the whole tensor is said so, whichever way it was written.
void MakeLinearOps(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (const auto op = FindLinearOp(graph, editor[index])) {
      Node node = editor[index];
      node.chain = {*op};
      node.inputs.resize(1);
      editor.SetNode(index, std::move(node));
    }
    const Node& node = editor[index];
    if (!node.is_removed && FindLinear(editor, node.outputs[0])) MergeLinearOps(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
