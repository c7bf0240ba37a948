#include "graph/operator_table.hpp"
#include "operators/convolution.hpp"

namespace backplane::onnx {

void ConvertConv(Node& node) {
  const ConvolutionDescriptor descriptor = ReadConvolution(node, 1);
  std::vector<OutputSlot> inputs = {node.GetInput(0), node.GetInput(1)};
  if (node.HasInput(2)) inputs.push_back(node.GetInput(2));
  node.SetOutput(node.AddLayer<LayerType::kConvolution>(descriptor, inputs));
}

}  // namespace backplane::onnx
