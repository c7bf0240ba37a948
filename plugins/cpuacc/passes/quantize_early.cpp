#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// Concats and shuffles that were quantised one by one are not deeper than this.
constexpr int kMostMoves = 16;

bool IsMove(const Node& node) {
  return IsBareLayer(node, LayerType::kReshape) || IsBareLayer(node, LayerType::kTranspose) ||
         IsBareLayer(node, LayerType::kSlice) || IsBareLayer(node, LayerType::kConcat);
}

/// The same moves on integers, from what was quantised before to what is quantised behind.
class Plan {
 public:
  Plan(GraphEditor& editor, const TensorInfo& result) : editor_(editor), result_(result) {}

  /// The tensor quantised as the result is; kNoTensor when it does not come from integers.
  TensorId Add(TensorId tensor, int num_moves_left) {
    const NodeIndex maker = editor_.GetMaker(tensor);
    if (maker == kNoNode) return kNoTensor;
    const Node& node = editor_[maker];
    if (IsBareLayer(node, LayerType::kDequantize)) return AddInteger(node);
    if (num_moves_left == 0 || !IsMove(node) || editor_.CountReads(tensor) != 1) return kNoTensor;
    Node move = node;
    for (TensorId& input : move.inputs) {
      input = Add(input, num_moves_left - 1);
      if (input == kNoTensor) return kNoTensor;
    }
    move.outputs = {AddTensor(tensor)};
    if (!CanRun(editor_.GetGraph(), move)) return kNoTensor;
    moves_.emplace_back(maker, std::move(move));
    return moves_.back().second.outputs[0];
  }

  void Apply() {
    for (auto& move : moves_) editor_.SetNode(move.first, std::move(move.second));
    for (Node& node : added_) editor_.AddNode(std::move(node));
  }

 private:
  TensorId AddTensor(TensorId like) {
    TensorInfo info = result_;
    info.shape = editor_.GetTensor(like).info.shape;
    return editor_.AddTensor(info);
  }

  /// What was dequantised is there already, or in another quantisation, which then is changed here
  /// with the same two roundings as before.
  TensorId AddInteger(const Node& dequantize) {
    const TensorId integer = dequantize.inputs[0];
    const TensorInfo& info = editor_.GetTensor(integer).info;
    if (!info.quantization.IsQuantized() || info.quantization.IsPerAxis()) return kNoTensor;
    if (info.data_type == result_.data_type && info.quantization == result_.quantization) {
      return integer;
    }
    const TensorId real = dequantize.outputs[0];
    const TensorId quantized = AddTensor(real);
    added_.push_back(
        MakeLayerNode(LayerType::kQuantize, NoDescriptor(), dequantize.name, {real}, quantized));
    return quantized;
  }

  GraphEditor& editor_;
  const TensorInfo result_;
  std::vector<std::pair<NodeIndex, Node>> moves_;
  std::vector<Node> added_;
};

/// Whether dequantised float32 goes in and whole tensors have one scale.
bool IsPlainQuantize(const GraphEditor& editor, const Node& node) {
  return IsBareLayer(node, LayerType::kQuantize) &&
         IsFloat32(editor.GetTensor(node.inputs[0]).info) &&
         !editor.GetTensor(node.outputs[0]).info.quantization.IsPerAxis();
}

void Hoist(GraphEditor& editor, NodeIndex index) {
  const TensorId real = editor[index].inputs[0];
  const TensorId result = editor[index].outputs[0];
  const TensorInfo info = editor.GetTensor(result).info;
  const NodeIndex maker = editor.GetMaker(real);
  if (maker == kNoNode) return;
  const Node& before = editor[maker];
  const bool is_direct = IsBareLayer(before, LayerType::kDequantize);
  if (is_direct && editor.GetTensor(before.inputs[0]).info != info) return;
  Plan plan(editor, info);
  const TensorId integer = plan.Add(real, kMostMoves);
  if (integer == kNoTensor) return;
  plan.Apply();
  Node same = MakeReshapeNode(editor.GetGraph(), editor[index].name, integer, result);
  editor.SetNode(index, std::move(same));
  editor.RemoveIdentity(index);
}

}  // namespace

/// Quantises before elements are moved, not behind: fewer bytes move, and what is quantised again
/// as it was before need not be. Numbers are rounded as often as before, in the same way.
void QuantizeEarly(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    if (IsPlainQuantize(editor, editor[index])) Hoist(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
