#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

std::int64_t ReadDepth(Node& node) {
  const std::vector<double> depth = node.ReadConstantReals(1, "depth");
  if (depth.size() != 1 || !(depth[0] >= 0 && depth[0] < 0x1p62)) {
    node.RefuseAsInvalid("its depth is not one number of 0 or more");
  }
  return static_cast<std::int64_t>(depth[0]);
}

}  // namespace

void ConvertOneHot(Node& node) {
  OneHotDescriptor descriptor;
  const std::int64_t stated = node.GetAttributes().FindInt("axis").value_or(-1);
  descriptor.axis = node.ResolveAxis(stated, node.GetInputShape(0).rank + 1);
  descriptor.depth = ReadDepth(node);
  node.SetOutput(
      node.AddLayer<LayerType::kOneHot>(descriptor, {node.GetInput(0), node.GetInput(2)}));
}

}  // namespace backplane::onnx
