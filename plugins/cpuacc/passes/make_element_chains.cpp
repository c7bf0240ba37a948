#include "graph/matching.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>

namespace backplane {
namespace cpuacc {
namespace {

bool HasFloat32Only(const Graph& graph, const Node& node) {
  for (const TensorId input : node.inputs) {
    if (!IsFloat32(graph.tensors[input].info)) return false;
  }
  return IsFloat32(graph.Output(node).info);
}

void BecomeChain(Node& node, const ElementOp& op) {
  node.kind = NodeKind::kElements;
  node.chain.push_back(op);
}

/// The operand that is passed through the chain is the one that has the output's shape, and is no
/// constant.
void MakeBinaryChain(const Graph& graph, Node& node) {
  const auto operation = node.GetDescriptor<ElementwiseBinaryDescriptor>().operation;
  const auto is_whole = [&](std::size_t index) {
    return graph.Input(node, index).info.shape == graph.Output(node).info.shape;
  };
  const bool swaps = !is_whole(0) ? is_whole(1) : graph.Input(node, 0).IsConstant() && is_whole(1);
  if (swaps) std::swap(node.inputs[0], node.inputs[1]);
  BecomeChain(node, MakeBinary(operation, 1, swaps && !Commutes(operation)));
}

void MakeChain(const Graph& graph, Node& node) {
  switch (node.type) {
    case LayerType::kActivation: {
      const auto descriptor = node.GetDescriptor<ActivationDescriptor>();
      BecomeChain(node, MakeActivation(descriptor.function, descriptor.alpha, descriptor.beta));
      break;
    }
    case LayerType::kElementwiseUnary:
      BecomeChain(node, MakeUnary(node.GetDescriptor<ElementwiseUnaryDescriptor>().operation));
      break;
    case LayerType::kElementwiseBinary:
      MakeBinaryChain(graph, node);
      break;
    case LayerType::kPrelu:
      BecomeChain(node, MakePrelu(1));
      break;
    default:
      break;
  }
}

}  // namespace

/// Layers that work on each element by itself become chains of one operation.
void MakeElementChains(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (!node.is_removed && node.kind == NodeKind::kLayer && HasFloat32Only(graph, node)) {
      MakeChain(graph, node);
    }
  }
}

}  // namespace cpuacc
}  // namespace backplane
