#include "attention/attention_descriptor.hpp"
#include "graph/graph_editor.hpp"
#include "graph/strided_view.hpp"
#include "passes/attention_match.hpp"
#include "passes/passes.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Above, the scratch memory of a thread would be larger than its cache.
constexpr std::int64_t kMostDepthAndWidth = 2048;

/// The steps of a tensor whose last two axes are rows and columns, for a batch of so many axes.
AttentionOperand MakeOperand(const TensorShape& shape, const std::vector<std::int64_t>& steps,
                             std::int64_t offset, std::uint32_t num_batch_axes) {
  const auto find_step = [&](std::uint32_t from_last) {
    if (from_last > shape.rank) return std::int64_t{0};
    const std::uint32_t axis = shape.rank - from_last;
    return shape[axis] == 1 ? 0 : steps[axis];
  };
  AttentionOperand operand;
  operand.offset = offset;
  operand.column = find_step(1);
  operand.row = find_step(2);
  for (std::uint32_t axis = 0; axis < num_batch_axes; ++axis) {
    operand.batch[axis] = find_step(num_batch_axes + 2 - axis);
  }
  return operand;
}

/// Makes the operand of what a tensor is a view of, which becomes an input of the node.
AttentionOperand ReadOperand(const GraphEditor& editor, const MatchedMatrix& matrix,
                             std::uint32_t num_batch_axes, Node& node) {
  const StridedView view = FindStridedView(editor, matrix.tensor);
  AttentionOperand operand = MakeOperand(editor.GetTensor(matrix.tensor).info.shape, view.steps,
                                         view.offset, num_batch_axes);
  if (matrix.is_transposed) std::swap(operand.row, operand.column);
  node.inputs.push_back(view.source);
  return operand;
}

void Merge(GraphEditor& editor, NodeIndex index, const AttentionMatch& match) {
  const TensorId output = editor[index].outputs[0];
  const TensorShape result = editor.GetTensor(output).info.shape;
  const TensorShape scores = editor.GetTensor(match.scores).info.shape;
  const TensorShape queries = editor.GetTensor(match.queries.tensor).info.shape;
  AttentionDescriptor attention;
  attention.num_batch_axes = result.rank - 2;
  for (std::uint32_t axis = 0; axis < attention.num_batch_axes; ++axis) {
    attention.batch[axis] = result[axis];
  }
  attention.num_queries = scores[scores.rank - 2];
  attention.num_keys = scores[scores.rank - 1];
  attention.depth = queries[queries.rank - (match.queries.is_transposed ? 2 : 1)];
  attention.width = result[result.rank - 1];
  if (attention.depth + attention.width > kMostDepthAndWidth) return;
  attention.scale = match.scale;
  attention.mask_kind = match.mask_kind;
  attention.fill = match.fill;
  Node node;
  node.kind = NodeKind::kAttention;
  node.name = match.name;
  attention.queries = ReadOperand(editor, match.queries, attention.num_batch_axes, node);
  attention.keys = ReadOperand(editor, match.keys, attention.num_batch_axes, node);
  attention.values = ReadOperand(editor, match.values, attention.num_batch_axes, node);
  if (match.mask != kNoTensor) {
    attention.mask = ReadOperand(editor, {match.mask, false}, attention.num_batch_axes, node);
  }
  const StridedTarget target = FindStridedTarget(editor, output);
  attention.result = MakeOperand(result, target.steps, 0, attention.num_batch_axes);
  for (const NodeIndex move : target.nodes) editor.Remove(move);
  node.outputs = {target.target};
  node.SetDescriptor(attention);
  editor.SetNode(index, std::move(node));
}

}  // namespace

/// Attention becomes one node, which reads and writes heads where they lie, so that nobody has to
/// move them, and whose scores are never all in memory.
void MergeAttention(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (const auto match = FindAttention(editor, index)) Merge(editor, index, *match);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
