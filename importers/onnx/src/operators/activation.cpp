#include "graph/node.hpp"
#include "graph/operator_table.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, ActivationFunction function, float alpha = 1.0F) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  node.SetOutput(node.AddLayer<LayerType::kActivation>(descriptor, {node.GetInput(0)}));
}

}  // namespace

void ConvertRelu(Node& node) {
  Convert(node, ActivationFunction::kRelu);
}

void ConvertLeakyRelu(Node& node) {
  Convert(node, ActivationFunction::kLeakyRelu,
          node.GetAttributes().FindFloat("alpha").value_or(0.01F));
}

void ConvertSigmoid(Node& node) {
  Convert(node, ActivationFunction::kSigmoid);
}

void ConvertTanh(Node& node) {
  Convert(node, ActivationFunction::kTanH);
}

}  // namespace backplane::onnx
