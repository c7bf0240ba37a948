#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/integer_operands.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"
#include "passes/run_node.hpp"

#include <backplane/api/descriptors/transpose.hpp>

#include <cstdint>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// How the moved integers are quantised. Without scales when those may not be moved so.
QuantizationInfo MoveScales(const Node& move, const QuantizationInfo& from, std::uint32_t rank) {
  if (!from.IsPerAxis()) return from;
  if (move.type != LayerType::kTranspose) return {};
  QuantizationInfo to = from;
  const auto descriptor = move.GetDescriptor<TransposeDescriptor>();
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    if (descriptor.permutation[axis] == static_cast<std::uint32_t>(from.axis)) {
      to.axis = static_cast<std::int32_t>(axis);
    }
  }
  return to;
}

/// Constants that are turned, and what is gathered from more than it makes.
bool IsWorthwhile(const GraphEditor& editor, const Node& move, TensorId integer) {
  if (IsBareLayer(move, LayerType::kTranspose)) return editor.GetTensor(integer).IsConstant();
  return IsBareLayer(move, LayerType::kGather) &&
         editor.GetTensor(move.outputs[0]).info.shape.GetNumElements() <
             editor.GetTensor(integer).info.shape.GetNumElements();
}

void MoveIntegers(GraphEditor& editor, NodeIndex index) {
  const Node move = editor[index];
  if (move.inputs.empty()) return;
  const Node* found = FindLayer(editor, move.inputs[0], LayerType::kDequantize);
  if (found == nullptr) return;
  Node dequantize = *found;
  const TensorId integer = FindInteger(editor, move.inputs[0]);
  if (!IsWorthwhile(editor, move, integer)) return;
  TensorInfo info = editor.GetTensor(integer).info;
  info.quantization = MoveScales(move, info.quantization, info.shape.rank);
  info.shape = editor.GetTensor(move.outputs[0]).info.shape;
  if (!info.quantization.IsQuantized()) return;
  Node made = move;
  made.inputs[0] = integer;
  made.outputs = {editor.AddTensor(info)};
  if (!CanRun(editor.GetGraph(), made)) return;
  dequantize.inputs = made.outputs;
  dequantize.outputs = move.outputs;
  editor.SetNode(index, std::move(dequantize));
  const NodeIndex moved = editor.AddNode(std::move(made));
  if (IsBareLayer(move, LayerType::kTranspose)) FoldNode(editor, moved);
}

}  // namespace

/// Integers are turned and gathered before they are dequantised, not behind: constant matrices meet
/// the products that read them, and of a table only those rows are dequantised that are read.
void DequantizeLate(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    if (!editor[index].is_removed) MoveIntegers(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
