#pragma once

/// Nodes as passes make them.

#include "graph/graph.hpp"

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

template <typename Derived>
Node MakeLayerNode(LayerType type, const Derived& descriptor, const std::string& name,
                   std::vector<TensorId> inputs, TensorId output) {
  Node node;
  node.type = type;
  node.name = name;
  node.SetDescriptor(descriptor);
  node.inputs = std::move(inputs);
  node.outputs = {output};
  return node;
}

/// A Reshape of `input` to the shape of `output`.
Node MakeReshapeNode(const Graph& graph, const std::string& name, TensorId input, TensorId output);

/// A chain of one operation, whose operand is input 1.
Node MakeElementsNode(const ElementOp& op, const std::string& name, std::vector<TensorId> inputs,
                      TensorId output);

}  // namespace cpuacc
}  // namespace backplane
