#pragma once

#include "graph/graph.hpp"
#include "kernel_builders/layer.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

/// A node as the layer that it is, without its chain. Borrows from graph and node.
class LayerOfNode {
 public:
  LayerOfNode(const Graph& graph, const Node& node) {
    for (const TensorId input : node.inputs) inputs_.push_back(&graph.tensors[input].info);
    for (const TensorId output : node.outputs) outputs_.push_back(&graph.tensors[output].info);
    layer_.type = node.type;
    layer_.descriptor = reinterpret_cast<const BaseDescriptor*>(node.descriptor.data());
    layer_.inputs = inputs_.data();
    layer_.outputs = outputs_.data();
    layer_.num_inputs = CountLayerInputs(node);
    layer_.num_outputs = static_cast<std::uint32_t>(outputs_.size());
  }
  LayerOfNode(const LayerOfNode&) = delete;
  LayerOfNode& operator=(const LayerOfNode&) = delete;

  const Layer& Get() const { return layer_; }

 private:
  std::vector<const TensorInfo*> inputs_;
  std::vector<const TensorInfo*> outputs_;
  Layer layer_;
};

}  // namespace cpuacc
}  // namespace backplane
