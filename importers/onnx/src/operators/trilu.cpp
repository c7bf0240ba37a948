#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertTrilu(Node& node) {
  TriangularPartDescriptor descriptor;
  descriptor.part =
      node.GetAttributes().GetFlag("upper", true) ? Triangle::kUpper : Triangle::kLower;
  if (node.HasInput(1)) descriptor.diagonal = node.ReadConstantInt(1, "diagonal k");
  node.SetOutput(node.AddLayer<LayerType::kTriangularPart>(descriptor, {node.GetInput(0)}));
}

// It was one of onnxruntime's own first, with the same meaning.
void ConvertMicrosoftTrilu(Node& node) {
  ConvertTrilu(node);
}

}  // namespace backplane::onnx
