#include "passes/make_layers.hpp"

#include <backplane/api/descriptors/reshape.hpp>

namespace backplane {
namespace cpuacc {

Node MakeReshapeNode(const Graph& graph, const std::string& name, TensorId input, TensorId output) {
  const TensorShape& shape = graph.tensors[output].info.shape;
  ReshapeDescriptor descriptor;
  descriptor.rank = shape.rank;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) descriptor.dims[axis] = shape[axis];
  return MakeLayerNode(LayerType::kReshape, descriptor, name, {input}, output);
}

Node MakeElementsNode(const ElementOp& op, const std::string& name, std::vector<TensorId> inputs,
                      TensorId output) {
  Node node;
  node.kind = NodeKind::kElements;
  node.name = name;
  node.chain = {op};
  node.inputs = std::move(inputs);
  node.outputs = {output};
  return node;
}

}  // namespace cpuacc
}  // namespace backplane
