#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, const FloatClassificationDescriptor& descriptor) {
  node.SetOutput(node.AddLayer<LayerType::kFloatClassification>(descriptor, {node.GetInput(0)}));
}

}  // namespace

void ConvertIsNaN(Node& node) {
  FloatClassificationDescriptor descriptor;
  descriptor.detect_nan = 1;
  Convert(node, descriptor);
}

void ConvertIsInf(Node& node) {
  const auto reads_as_true = [&node](const char* name) {
    return node.GetAttributes().GetFlag(name, true) ? 1U : 0U;
  };
  FloatClassificationDescriptor descriptor;
  descriptor.detect_positive_infinity = reads_as_true("detect_positive");
  descriptor.detect_negative_infinity = reads_as_true("detect_negative");
  Convert(node, descriptor);
}

}  // namespace backplane::onnx
