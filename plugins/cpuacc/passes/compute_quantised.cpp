#include "cpu_layers/scales.hpp"
#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/integer_operands.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"
#include "quantised/quantised_types.hpp"

#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// Layers whose kernels look at the scales of what they read and write. Functions of single
/// elements are tables (TabulateBytes); others move elements from tensors to tensors that are
/// quantised alike, and QuantizeEarly knows them.
bool Calculates(LayerType type) {
  switch (type) {
    case LayerType::kBatchMatMul:
    case LayerType::kConvolution:
    case LayerType::kElementwiseBinary:
    case LayerType::kFullyConnected:
    case LayerType::kPooling:
    case LayerType::kSoftmax:
      return true;
    default:
      return false;
  }
}

bool SumsProducts(LayerType type) {
  return type == LayerType::kConvolution || type == LayerType::kFullyConnected ||
         type == LayerType::kBatchMatMul;
}

/// Of two operands and by a table, which takes longer than reals do.
bool IsByTable(const Node& node) {
  if (node.type != LayerType::kElementwiseBinary) return false;
  const auto operation = node.GetDescriptor<ElementwiseBinaryDescriptor>().operation;
  return operation != BinaryOperation::kAdd && operation != BinaryOperation::kMul;
}

bool CanCompute(const Graph& graph, const Node& made) {
  return !IsByTable(made) && CanRun(graph, made) &&
         (!SumsProducts(made.type) || GetRoomForBias(graph, made) >= 0);
}

/// The layer with integers in place of the reals that it reads, and `result` in place of what it
/// makes. Empty when those do not come from integers, or there is no kernel for these.
std::optional<Node> MakeIntegerNode(GraphEditor& editor, const Node& node, TensorId result) {
  if (!Calculates(node.type)) return {};
  Node made = node;
  made.outputs = {result};
  for (std::size_t index = 0; index < node.inputs.size(); ++index) {
    made.inputs[index] = index == 2 && SumsProducts(node.type)
                             ? AddIntegerBias(editor, node.inputs[2], made)
                             : FindInteger(editor, node.inputs[index]);
    if (made.inputs[index] == kNoTensor) return {};
    if (!editor.GetTensor(made.inputs[index]).info.quantization.IsQuantized()) return {};
  }
  if (!CanCompute(editor.GetGraph(), made)) return {};
  return made;
}

/// The layer that makes a tensor which nobody else reads; kNoNode when it is no layer, or makes
/// more.
NodeIndex FindOwnMaker(const GraphEditor& editor, TensorId tensor) {
  const NodeIndex maker = editor.GetMaker(tensor);
  if (maker == kNoNode || editor.CountReads(tensor) != 1) return kNoNode;
  const Node& node = editor[maker];
  const bool is_plain =
      node.kind == NodeKind::kLayer && node.chain.empty() && node.outputs.size() == 1;
  return is_plain && !node.inputs.empty() ? maker : kNoNode;
}

/// Bounds do the same to numbers before they are quantised and after.
bool IsBound(const Node& node) {
  if (!IsBareLayer(node, LayerType::kActivation)) return false;
  const auto function = node.GetDescriptor<ActivationDescriptor>().function;
  return function == ActivationFunction::kRelu || function == ActivationFunction::kBoundedRelu;
}

/// Whether there is no integer for what ReLU takes away.
bool IsBoundByType(const Node& bound, const TensorInfo& result) {
  return bound.GetDescriptor<ActivationDescriptor>().function == ActivationFunction::kRelu &&
         cpu_layers::GetZeroPoint(result) == -GetSignBit(result);
}

/// The product to which a sum adds a bias, with that as input 2, as a layer of its own would have
/// it. Empty when there is none.
std::optional<Node> FindBiasedProduct(const GraphEditor& editor, const Node& sum) {
  if (!IsBareLayer(sum, LayerType::kElementwiseBinary) ||
      sum.GetDescriptor<ElementwiseBinaryDescriptor>().operation != BinaryOperation::kAdd) {
    return {};
  }
  for (std::size_t input = 0; input < 2; ++input) {
    const TensorId real = sum.inputs[input];
    const NodeIndex maker = FindOwnMaker(editor, real);
    if (maker == kNoNode || editor[maker].inputs.size() != 2 ||
        !IsProductOfRows(editor.GetGraph(), editor[maker]) ||
        editor.GetTensor(real).info.shape != editor.GetTensor(sum.outputs[0]).info.shape) {
      continue;
    }
    Node product = editor[maker];
    product.name += "+" + sum.name;
    product.inputs.push_back(sum.inputs[1 - input]);
    return product;
  }
  return {};
}

/// A tensor of the same elements with two axes.
TensorId AddMatrix(GraphEditor& editor, TensorId tensor) {
  TensorInfo info = editor.GetTensor(tensor).info;
  const std::int64_t columns = info.shape[info.shape.rank - 1];
  info.shape = {info.shape.GetNumElements() / columns, columns};
  return editor.AddTensor(info);
}

/// A product and the bias that is added behind it, as a FullyConnected, which sees its input and
/// output as matrices. Empty as by MakeIntegerNode; the last node makes `result`.
std::vector<Node> MakeBiasedProduct(GraphEditor& editor, const Node& sum, TensorId result) {
  const auto product = FindBiasedProduct(editor, sum);
  if (!product) return {};
  const TensorId rows = FindInteger(editor, product->inputs[0]);
  const TensorId matrix = FindInteger(editor, product->inputs[1]);
  if (rows == kNoTensor || matrix == kNoTensor) return {};
  const bool are_matrices = editor.GetTensor(result).info.shape.rank == 2;
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = IsMatrixTransposed(*product) ? 1 : 0;
  Node made = MakeLayerNode(LayerType::kFullyConnected, descriptor, product->name,
                            {are_matrices ? rows : AddMatrix(editor, rows), matrix},
                            are_matrices ? result : AddMatrix(editor, result));
  made.inputs.push_back(AddIntegerBias(editor, product->inputs[2], made));
  if (made.inputs[2] == kNoTensor || !CanCompute(editor.GetGraph(), made)) return {};
  if (are_matrices) return {made};
  const Graph& graph = editor.GetGraph();
  return {MakeReshapeNode(graph, made.name, rows, made.inputs[0]), made,
          MakeReshapeNode(graph, made.name, made.outputs[0], result)};
}

/// The nodes that make `result` as `maker` makes its output, the last one at last. Empty as by
/// MakeIntegerNode.
std::vector<Node> MakeIntegerNodes(GraphEditor& editor, NodeIndex maker, TensorId result) {
  const Node node = editor[maker];
  if (auto made = MakeIntegerNode(editor, node, result)) return {std::move(*made)};
  return MakeBiasedProduct(editor, node, result);
}

/// Puts nodes in the place of one that makes what the last of them makes.
void Replace(GraphEditor& editor, NodeIndex index, std::vector<Node> nodes) {
  editor.SetNode(index, std::move(nodes.back()));
  nodes.pop_back();
  for (Node& node : nodes) editor.AddNode(std::move(node));
}

/// Lets the layer before a Quantize make what it makes.
void ComputeResult(GraphEditor& editor, NodeIndex quantize) {
  const TensorId result = editor[quantize].outputs[0];
  const TensorInfo info = editor.GetTensor(result).info;
  const NodeIndex last = FindOwnMaker(editor, editor[quantize].inputs[0]);
  if (last == kNoNode) return;
  std::vector<Node> made = MakeIntegerNodes(editor, last, result);
  if (!made.empty()) return Replace(editor, quantize, std::move(made));
  if (!IsBound(editor[last])) return;
  const NodeIndex maker = FindOwnMaker(editor, editor[last].inputs[0]);
  if (maker == kNoNode) return;
  const bool is_bound = IsBoundByType(editor[last], info);
  Node bound = editor[last];
  bound.inputs = {is_bound ? result : editor.AddTensor(info)};
  bound.outputs = {result};
  if (!is_bound && !CanRun(editor.GetGraph(), bound)) return;
  made = MakeIntegerNodes(editor, maker, bound.inputs[0]);
  if (made.empty()) return;
  if (!is_bound) made.push_back(std::move(bound));
  Replace(editor, quantize, std::move(made));
}

}  // namespace

/// A layer between Dequantize and Quantize, as most quantised models are written, computes with the
/// integers themselves when it has a kernel for them. Products of integers are exact; those of the
/// reals that they stand for need not be, so that now and then a result is the next integer.
void ComputeQuantised(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    const Node& node = editor[index];
    if (!IsBareLayer(node, LayerType::kQuantize)) continue;
    if (IsFloat32(editor.GetTensor(node.inputs[0]).info)) ComputeResult(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
