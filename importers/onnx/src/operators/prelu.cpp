#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

// One slope for each channel belongs to axis 1. So it always is before operator set 7; later the
// slope must broadcast as it is, and where it does not, exporters mean the same.
bool IsOfChannels(const Node& node) {
  const TensorShape& shape = node.GetInputShape(0);
  const TensorShape& slope = node.GetInputShape(1);
  if (shape.rank < 2 || slope.rank != 1 || slope[0] != shape[1]) return false;
  return node.GetOpset() < 7 || !BroadcastsTo(slope, shape);
}

}  // namespace

void ConvertPRelu(Node& node) {
  const OutputSlot input = node.GetInput(0);
  OutputSlot slope = node.GetInput(1);
  if (IsOfChannels(node)) {
    TensorShape shape = node.GetInputShape(1);
    while (shape.rank + 1 < node.GetInputShape(0).rank) shape.Append(1);
    if (shape.rank > 1) slope = node.AddReshape(slope, shape, "/slope");
  }
  node.SetOutput(node.AddLayer<LayerType::kPrelu>({}, {input, slope}));
}

}  // namespace backplane::onnx
